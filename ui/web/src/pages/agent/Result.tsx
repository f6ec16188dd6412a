import { useT } from '../../i18n/index.ts';
import type { Agent } from '../../live/words.ts';
import { isFinal } from '../../live/words.ts';
import { Copy } from '../../parts/Copy.tsx';
import { Diff } from '../../parts/Diff.tsx';
import { Fault } from '../../parts/Fault.tsx';
import { Status } from '../../parts/Status.tsx';
import { brief, money } from '../../parts/time.ts';
import { useDetail } from './useDetail.ts';

/** What came of an agent: what was seen, and what it says of itself. */
export function Result({ id, a }: { id: string; a: Agent | undefined }) {
  const t = useT();
  const { data, error } = useDetail(id);
  if (error) return <Fault error={error} />;
  const r = data?.result;
  if (!r) return <p className="dim">{a && isFinal(a.status) ? t.loading : t.agent.notYet}</p>;
  return (
    <>
      <section className="panel">
        <header>
          <Status s={r.status} />
          <h3>{t.agent.summary}</h3>
          <span className="sp" />
          <span className="dim num">{brief(r.duration_ms)}</span>
          {(r.costMicros ?? 0) > 0 && <span className="dim num">{money(r.costMicros)}</span>}
          <Copy text={JSON.stringify(r, null, 2)} what="JSON" />
        </header>
        <div className="in stack">
          <p className="text">{r.summary || t.agent.saidNothing}</p>
          {r.response && r.response !== r.summary && (
            <div>
              <h3 className="dim">{t.agent.response}</h3>
              <p className="text">{r.response}</p>
            </div>
          )}
          {r.errorMessage && (
            <div className="fault" role="note">
              <p className="text mono">{r.errorMessage}</p>
            </div>
          )}
          <dl className="facts">
            <dt>{t.col.tools}</dt>
            <dd className="num">{r.toolCallCount}</dd>
            <dt>{t.agent.created}</dt>
            <dd>
              <Paths list={r.createdFiles} />
            </dd>
            <dt>{t.agent.edited}</dt>
            <dd>
              <Paths list={r.editedFiles} />
            </dd>
            {r.rawOutput && (
              <>
                <dt>{t.agent.raw}</dt>
                <dd>
                  <code>{r.rawOutput}</code>
                  <Copy text={r.rawOutput} what={t.command} />
                </dd>
              </>
            )}
          </dl>
        </div>
      </section>
      {r.diff && <Diff text={r.diff} label={t.agent.diff} />}
    </>
  );
}

function Paths({ list }: { list: string[] }) {
  if (list.length === 0) return <span className="faint">–</span>;
  return list.map((p) => <code key={p}>{p}</code>);
}
