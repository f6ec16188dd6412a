import { Link } from '@tanstack/react-router';
import { useT } from '../../i18n/index.ts';
import { Copy } from '../../parts/Copy.tsx';
import { JobFacts } from '../runs/JobFacts.tsx';
import { criteria, type Evaluation, improvedOf, verdictOf } from './evaluation.ts';
import { figure } from './scale.ts';
import { useWords } from './words.ts';

/** Who judged, by what measure, what it took, and what went wrong on the way. */
export function EvalFacts({ e }: { e: Evaluation }) {
  const t = useT();
  const w = useWords();
  const improved = improvedOf(e.output);
  const verdict = verdictOf(e.output);
  const note = verdict?.metadata.note;
  const input = e.input;
  return (
    <aside className="stack">
      <section className="panel">
        <header>
          <h3>{t.agent.facts}</h3>
          {improved?.stop && (
            <span className="tag" data-tone={improved.stop === 'target' ? 'good' : 'warn'}>
              {w.stops[improved.stop]}
            </span>
          )}
        </header>
        <dl className="in facts">
          {input && (
            <>
              <dt>{w.evaluator}</dt>
              <dd>{input.evaluator === 'heuristic' ? w.heuristic : input.evaluator}</dd>
              {input.improver && (
                <>
                  <dt>{w.improver}</dt>
                  <dd>{input.improver}</dd>
                </>
              )}
              <dt>{w.targetName}</dt>
              <dd className="num">{figure(input.target_score)}</dd>
              <dt>{w.weights}</dt>
              <dd className="num small">
                {criteria.map((c) => `${w.criteria[c]} ${input.weights[c].toFixed(2)}`).join(' · ')}
              </dd>
              <dt>{w.iteration}</dt>
              <dd className="num">{input.iteration}</dd>
              {input.path && (
                <>
                  <dt>{w.file}</dt>
                  <dd>
                    <code>{input.path}</code>
                    <Copy text={input.path} what={t.path} />
                  </dd>
                </>
              )}
            </>
          )}
          <JobFacts job={e} />
          {improved?.path && (
            <>
              <dt>{w.written}</dt>
              <dd>{improved.written ? <code>{improved.path}</code> : w.notWritten}</dd>
            </>
          )}
          {note && (
            <>
              <dt>{w.note}</dt>
              <dd className="text">{note}</dd>
            </>
          )}
        </dl>
      </section>
      {e.tries.length > 0 && (
        <section className="panel">
          <header>
            <h3>{w.tries}</h3>
            <span className="num faint small">{e.tries.length}</span>
          </header>
          <ul className="suggestions">
            {e.tries.map((x, i) => (
              <li key={i}>
                <span className="with">
                  <span className="tag" data-tone="bad">
                    {x.code}
                  </span>
                  <span className="small faint">
                    {w.roundOf(x.round)}, {w.tryOf[x.what]}
                    {!x.counted && `, ${w.notCounted}`}
                  </span>
                </span>
                <p className="text">{x.error}</p>
                {x.agentId && (
                  <Link className="link mono small" to="/agents/$id" params={{ id: x.agentId }}>
                    {x.agentId}
                  </Link>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </aside>
  );
}
