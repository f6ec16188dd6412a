import { useVirtualizer } from '@tanstack/react-virtual';
import { Download } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useT } from '../../i18n/index.ts';
import { Copy } from '../../parts/Copy.tsx';
import { Fault } from '../../parts/Fault.tsx';
import { Find } from '../../parts/Find.tsx';
import { Rows } from '../../parts/Rows.tsx';
import { save } from '../../parts/save.ts';
import { bytes } from '../../parts/time.ts';
import { useFollow } from '../../parts/useFollow.ts';
import { type Log, useLog } from './useLog.ts';

/** The stream byte by byte, as the process said it: a line each, to search and to take away. */
export function Raw({ agent, stdout }: { agent: string; stdout: Log }) {
  const t = useT();
  const [stream, choose] = useState<'stdout' | 'stderr'>('stdout');
  const stderr = useLog(agent, 'stderr');
  const log = stream === 'stdout' ? stdout : stderr;
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text).toLowerCase();
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list of lines grows in place
  const lines = useMemo(
    () => (wanted ? log.lines.filter((l) => l.toLowerCase().includes(wanted)) : [...log.lines]),
    [log.version, log.lines, wanted],
  );
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => 24,
    overscan: 12,
  });
  const { follow } = useFollow(box, wanted ? 0 : log.version);
  useEffect(() => {
    if (follow && !wanted && lines.length > 0) rows.scrollToIndex(lines.length - 1);
  }, [lines.length, follow, wanted, rows]);
  return (
    <section className="panel log">
      <header>
        <fieldset className="seg" aria-label={t.agent.stream}>
          {(['stdout', 'stderr'] as const).map((s) => (
            <button key={s} type="button" className="btn small" aria-pressed={s === stream} onClick={() => choose(s)}>
              {s}
            </button>
          ))}
        </fieldset>
        <span className="dim num">{t.agent.lines(lines.length, bytes(log.size - log.skipped))}</span>
        <span className="sp" />
        <Find label={t.agent.findLine} value={text} say={setText} />
        <button
          type="button"
          className="btn small"
          onClick={() => save(`${agent}.${stream}.txt`, `${log.lines.join('\n')}\n`)}
        >
          <Download size={13} aria-hidden />
          {t.download}
        </button>
      </header>
      {log.error !== null && <Fault error={log.error} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="lines mono" ref={box} tabIndex={0} role="region" aria-label={t.agent.raw}>
        <Rows virtual={rows} className="vrow rawline">
          {(i) => (
            <>
              <span className="one">{lines[i]}</span>
              <Copy text={lines[i] ?? ''} what={t.agent.line} />
            </>
          )}
        </Rows>
        {lines.length === 0 && <p className="faint in">{t.agent.saidNothing}</p>}
      </div>
    </section>
  );
}
