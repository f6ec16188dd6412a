import { useT } from '../i18n/index.ts';
import { Box } from '../parts/Box.tsx';
import { house, pages } from './pages.ts';

/** The sheet of keys. */
export function Help({ onClose }: { onClose: () => void }) {
  const t = useT();
  const rows: [string, string][] = [
    ['Ctrl K', t.palette.open],
    ['/', t.help.find],
    ['j  k', t.help.step],
    ['Enter', t.help.enter],
    ['p', t.conn.pause],
    ['?', t.help.title],
    ['o', t.help.peek],
    ['Esc', t.close],
  ];
  return (
    <Box title={t.help.title} onClose={onClose}>
      <div className="in pair">
        <dl className="facts">
          {rows.map(([key, what]) => (
            <div key={key} style={{ display: 'contents' }}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <dl className="facts">
          {[...pages, ...house].map((p) => (
            <div key={p.to} style={{ display: 'contents' }}>
              <dt>
                <kbd>g</kbd> <kbd>{p.key}</kbd>
              </dt>
              <dd>{t.nav[p.name]}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Box>
  );
}
