import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useT } from '../../i18n/index.ts';
import { Copy } from '../../parts/Copy.tsx';
import { Fault } from '../../parts/Fault.tsx';
import { look, placeOf } from './wire.ts';
import { useWords } from './words.ts';

const around = 400; // lines on each side of those that are meant

/** A file, open at the lines that are meant. Esc closes it. */
export function Source({ open, query, onClose }: { open: string; query: string; onClose: () => void }) {
  const t = useT();
  const w = useWords();
  const { path, range } = placeOf(open);
  const { data, error } = useQuery({
    queryKey: ['file', path, query],
    queryFn: ({ signal }) => look(path, query, signal),
    retry: false,
  });
  const box = useRef<HTMLElement>(null);
  const code = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus();
  }, []);
  useEffect(() => {
    if (data) code.current?.querySelector('[data-here]')?.scrollIntoView({ block: 'center' });
  }, [data]);
  const keys = (e: KeyboardEvent) => {
    if (e.key !== 'Escape' || e.nativeEvent.isComposing) return;
    e.stopPropagation();
    onClose();
  };
  const meant = (n: number) => range !== null && n >= range[0] && n <= range[1];
  return (
    <section ref={box} className="panel source" aria-label={open} tabIndex={-1} onKeyDown={keys}>
      <header>
        <h2 className="mono one">{path}</h2>
        {range && <span className="mono accent">{open.slice(path.length + 1)}</span>}
        <Copy text={open} what={w.ref} />
        <span className="sp" />
        {data && <span className="faint small">{data.whole ? w.whole : w.parts}</span>}
        <button type="button" className="btn quiet small icon" aria-label={w.close} title={w.close} onClick={onClose}>
          <X size={15} aria-hidden />
        </button>
      </header>
      {error && <Fault error={error} />}
      {!data && !error && <p className="in dim">{t.loading}</p>}
      {data && !data.whole && <p className="in faint small">{data.parts.length > 0 ? w.partsWhy : w.gone}</p>}
      {data && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <div className="lines" ref={code} tabIndex={0} role="region" aria-label={path}>
          {data.parts.map((p) => (
            <pre key={p.first}>
              {near(p, range).map(({ n, text }) => (
                <span
                  key={n}
                  className="ln"
                  data-n={n}
                  data-meant={meant(n) || undefined}
                  data-here={(range && n === range[0]) || undefined}
                >
                  {text}
                  {'\n'}
                </span>
              ))}
            </pre>
          ))}
        </div>
      )}
    </section>
  );
}

// Of a long file only what stands around the lines that are meant is drawn.
function near(p: { first: number; lines: string[] }, range: [number, number] | null): { n: number; text: string }[] {
  const [from, to] = range ?? [1, 1];
  return p.lines
    .map((text, i) => ({ n: p.first + i, text }))
    .filter(({ n }) => n >= from - around && n <= to + 2 * around);
}
