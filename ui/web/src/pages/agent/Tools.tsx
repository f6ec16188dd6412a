import { Wrench } from 'lucide-react';
import { useT } from '../../i18n/index.ts';
import type { Agent } from '../../live/words.ts';
import { Status } from '../../parts/Status.tsx';
import { pretty } from './Live.tsx';
import type { Entry } from './transcript.ts';
import type { Log } from './useLog.ts';
import { Waterfall } from './Waterfall.tsx';

/** Every use of a tool that the stream shows; where the stream is gone, the last ten that are remembered. */
export function Tools({ log, a }: { log: Log; a: Agent }) {
  const t = useT();
  const recent = a.run.recentToolCalls ?? [];
  const seen = log.transcript.entries.filter((e): e is Entry & { kind: 'tool' } => e.kind === 'tool');
  const rows =
    seen.length > 0
      ? seen
      : recent.map((c) => ({ id: c.callId, name: c.type, args: c.args, state: c.subtype, output: '' }));
  if (rows.length === 0) return <p className="dim">{t.agent.noTools}</p>;
  return (
    <>
      <Waterfall calls={recent} from={a.startedAt} over={a.endedAt} />
      <ol className="panel tools">
        {rows.map((r, i) => (
          <li key={r.id + i}>
            <details>
              <summary>
                <span className="num faint">{i + 1}</span>
                <Wrench size={14} aria-hidden />
                <b>{r.name}</b>
                <code className="one dim">{r.args}</code>
                <span className="sp" />
                <Status s={r.state === 'started' ? 'running' : r.state} size={13} />
              </summary>
              <pre className="text">{pretty(r.args)}</pre>
              {r.output && <pre className="text dim">{r.output}</pre>}
            </details>
          </li>
        ))}
      </ol>
    </>
  );
}
