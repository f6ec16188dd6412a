import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useT } from '../../i18n/index.ts';
import { Rows } from '../../parts/Rows.tsx';
import { brief } from '../../parts/time.ts';
import { criteria, passes, type Round } from './evaluation.ts';
import { figure } from './scale.ts';
import { useWords } from './words.ts';

const row = 36; // px

/** The rounds as a table; only those in sight are there. One of them is looked at. */
export function Rounds({
  rounds,
  target,
  best,
  chosen,
  picked,
  choose,
}: {
  rounds: Round[];
  target: number;
  best: number;
  chosen: number;
  picked: boolean; // by a person
  choose: (n: number) => void;
}) {
  const t = useT();
  const w = useWords();
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rounds.length,
    getScrollElement: () => box.current,
    estimateSize: () => row,
    overscan: 10,
  });
  // What was chosen is brought into sight. The newest, which nobody chose, only to who is at the end already.
  const at = rounds.findIndex((r) => r.number === chosen);
  const first = useRef(true);
  useEffect(() => {
    const b = box.current;
    const near = !b || b.scrollHeight - b.scrollTop - b.clientHeight < 3 * row;
    if (at >= 0 && (picked || first.current || near)) virtual.scrollToIndex(at, { align: 'auto' });
    first.current = false;
  }, [at, picked, virtual]);
  return (
    <section className="panel rounds" aria-label={w.tabRounds}>
      <div className="round columns" aria-hidden>
        <span>{w.round}</span>
        <span className="end">{w.score}</span>
        {criteria.map((c) => (
          <span key={c} className="end one">
            {w.criteria[c]}
          </span>
        ))}
        <span className="one">{w.model}</span>
        <span className="end">{t.col.elapsed}</span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="scrolls" ref={box} tabIndex={0} role="group" aria-label={w.tabRounds}>
        <Rows virtual={virtual}>
          {(i) => {
            const r = rounds[i];
            return (
              r && (
                <Line
                  r={r}
                  pass={passes(r.verdict, target)}
                  best={r.number === best && rounds.length > 1}
                  chosen={r.number === chosen}
                  choose={choose}
                />
              )
            );
          }}
        </Rows>
      </div>
    </section>
  );
}

function Line({
  r,
  pass,
  best,
  chosen,
  choose,
}: {
  r: Round;
  pass: boolean;
  best: boolean;
  chosen: boolean;
  choose: (n: number) => void;
}) {
  const w = useWords();
  const { score, rubric_scores: s } = r.verdict;
  return (
    <button
      type="button"
      className="round num"
      data-tone={pass ? 'good' : 'warn'}
      aria-pressed={chosen}
      data-item
      onClick={() => choose(r.number)}
    >
      <span>
        <span className="sr">{w.round} </span>
        {r.number} {best && <span className="tag">{w.best}</span>}
      </span>
      <b className="end">
        <span className="sr">{`${w.score} (${pass ? w.pass : w.below}) `}</span>
        {figure(score)}
      </b>
      {criteria.map((c) => (
        <span key={c} className="end">
          <span className="sr">{w.criteria[c]} </span>
          {figure(s[c])}
        </span>
      ))}
      <span className="one dim">{r.model_used}</span>
      <span className="end dim">{brief(r.evaluation_time)}</span>
    </button>
  );
}
