import { Link } from '@tanstack/react-router';
import { Diff } from '../../parts/Diff.tsx';
import { Bars } from './Bars.tsx';
import type { Round, Rubric, Version } from './evaluation.ts';
import { figure } from './scale.ts';
import { useWords } from './words.ts';

/** One round: how each criterion did, what was suggested, and what the version changed that was judged. */
export function RoundView({
  round: r,
  version,
  weights,
  target,
}: {
  round: Round;
  version: Version | undefined;
  weights: Rubric | undefined;
  target: number;
}) {
  const w = useWords();
  const v = r.verdict;
  return (
    <>
      <section className="panel" aria-label={w.roundOf(r.number)}>
        <header>
          <h3>
            {w.roundOf(r.number)} · {w.versionOf(r.version)}
          </h3>
          <span className="sp" />
          {r.agentId && (
            <Link className="link mono one" to="/agents/$id" params={{ id: r.agentId }}>
              {r.agentId}
            </Link>
          )}
        </header>
        <div className="in stack">
          <Bars scores={v.rubric_scores} weights={weights} target={target} />
          {v.disagrees && <p className="small dim">{w.disagrees(figure(v.said))}</p>}
          {v.blocker && (
            <p className="notice text" data-tone="bad">
              <b>{w.blocker}</b> {v.blocker}
            </p>
          )}
        </div>
      </section>
      <section className="panel" aria-label={w.suggestions}>
        <header>
          <h3>{w.suggestions}</h3>
          <span className="num faint small">{v.suggestions?.length ?? 0}</span>
        </header>
        {(v.suggestions ?? []).length === 0 ? (
          <p className="in dim">{w.noSuggestions}</p>
        ) : (
          <ol className="suggestions">
            {v.suggestions?.map((s, i) => (
              <li key={i}>
                <span className="with">
                  <span className="tag">{w.criteria[s.criterion] ?? s.criterion}</span>
                  <span className="small faint num">{w.line(s.line)}</span>
                </span>
                <p className="text">{s.text}</p>
              </li>
            ))}
          </ol>
        )}
      </section>
      {version && (
        <>
          {version.summary && <p className="text dim">{version.summary}</p>}
          <Diff text={version.diff} label={w.diffOf(version.version)} />
        </>
      )}
    </>
  );
}
