import {
  ArrowDown,
  Brain,
  ChevronRight,
  FilePen,
  MessageSquareText,
  Terminal,
  TriangleAlert,
  Wrench,
} from 'lucide-react';
import { memo, useRef, useState } from 'react';
import { useT } from '../../i18n/index.ts';
import { Fault } from '../../parts/Fault.tsx';
import { Status } from '../../parts/Status.tsx';
import { bytes } from '../../parts/time.ts';
import { useFollow } from '../../parts/useFollow.ts';
import type { Entry } from './transcript.ts';
import type { Log } from './useLog.ts';

const page = 300; // entries that are drawn; the rest is asked for

/** What an agent says and does, as it does it. */
export function Live({ log }: { log: Log }) {
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  const { follow, toEnd } = useFollow(box, log.version);
  const [shown, show] = useState(page);
  const all = log.transcript.entries;
  const from = Math.max(0, all.length - shown);
  return (
    <section className="panel log">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="in entries" ref={box} tabIndex={0} role="region" aria-label={t.agent.live}>
        {log.error !== null && <Fault error={log.error} />}
        {log.skipped > 0 && <p className="faint">{t.agent.skipped(bytes(log.skipped))}</p>}
        {from > 0 && (
          <button type="button" className="btn small" onClick={() => show((n) => n + page)}>
            {t.agent.earlier(from)}
          </button>
        )}
        {all.slice(from).map((e, i) => (
          <Said key={from + i} e={e} />
        ))}
        {all.length === 0 && log.error === null && (
          <p className="faint">{log.ended ? t.agent.saidNothing : t.agent.waitingForWords}</p>
        )}
        {log.ended && all.length > 0 && <p className="faint end">{t.agent.ended}</p>}
      </div>
      {!follow && (
        <button type="button" className="btn small jump" onClick={toEnd}>
          <ArrowDown size={13} aria-hidden />
          {t.agent.toEnd}
        </button>
      )}
    </section>
  );
}

const Said = memo(function Said({ e }: { e: Entry }) {
  const t = useT();
  switch (e.kind) {
    case 'text':
      return (
        <div className="said">
          <MessageSquareText size={14} aria-hidden />
          <p className="text">{e.text}</p>
        </div>
      );
    case 'thinking':
      return (
        <div className="said thinking">
          <Brain size={14} aria-label={t.thinking} />
          <p className="text">{e.text}</p>
        </div>
      );
    case 'note':
      return (
        <div className="said" data-tone="bad">
          <TriangleAlert size={14} aria-hidden />
          <p className="text">{e.text}</p>
        </div>
      );
    case 'raw':
      return (
        <div className="said faint">
          <Terminal size={14} aria-hidden />
          <p className="text mono">{e.text}</p>
        </div>
      );
    case 'file':
      return (
        <div className="said">
          <FilePen size={14} aria-hidden />
          <p>
            <code>{e.path}</code> <span className="tag">{e.change}</span>
          </p>
        </div>
      );
    case 'tool':
      return <Tool e={e} />;
  }
});

function Tool({ e }: { e: Entry & { kind: 'tool' } }) {
  return (
    <details className="said tool">
      <summary>
        <Wrench size={14} aria-hidden />
        <b>{e.name}</b>
        <code className="one">{e.args}</code>
        <span className="sp" />
        <Status s={e.state === 'started' ? 'running' : e.state} size={13} />
        <ChevronRight size={13} className="turn" aria-hidden />
      </summary>
      <pre className="text">{pretty(e.args)}</pre>
      {e.output && <pre className="text dim">{e.output}</pre>}
    </details>
  );
}

/** JSON with its indents; whatever else as it is. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
