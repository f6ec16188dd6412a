import { criteria, type Rubric } from './evaluation.ts';
import { figure } from './scale.ts';
import { useWords } from './words.ts';

/** How each criterion did in one round, with the target as a mark across all of them. */
export function Bars({ scores, weights, target }: { scores: Rubric; weights: Rubric | undefined; target: number }) {
  const w = useWords();
  return (
    <dl className="criteria">
      {criteria.map((c) => (
        <div key={c} data-tone={scores[c] >= target ? 'good' : 'warn'}>
          <dt>
            {w.criteria[c]}
            {weights && <span className="num faint small"> × {weights[c].toFixed(2)}</span>}
          </dt>
          <dd>
            <span className="track" aria-hidden>
              <i style={{ width: `${scores[c] * 10}%` }} />
              <b style={{ left: `${target * 10}%` }} />
            </span>
            <span className="num">{figure(scores[c])}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
