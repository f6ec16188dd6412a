import { useMemo, useRef } from 'react';
import { useWidth } from '../evals/useWidth.ts';
import { graph, size } from './graph.ts';
import { StepMark, toneOfStep } from './StepMark.tsx';
import type { Step } from './trace.ts';
import { useWords } from './words.ts';

/** The plan as a picture: who needs whom, and how far each is. */
export function Graph({ steps, chosen, choose }: { steps: Step[]; chosen: string; choose: (id: string) => void }) {
  const w = useWords();
  const box = useRef<HTMLDivElement>(null);
  const room = useWidth(box, 300);
  const g = useMemo(() => graph(steps, room), [steps, room]);
  const known = new Map(steps.map((s) => [s.id, s]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className="graph" ref={box} role="group" aria-label={w.graph} tabIndex={0}>
      <div style={{ width: g.width, height: g.height }}>
        <svg width={g.width} height={g.height} aria-hidden>
          <title>{w.graph}</title>
          {g.edges.map((e) => {
            const done = known.get(e.from)?.state === 'done';
            const near = chosen === e.from || chosen === e.to;
            return (
              <path key={`${e.from} ${e.to}`} d={e.path} data-done={done} data-near={near}>
                <title>{w.between(e.from, e.to)}</title>
              </path>
            );
          })}
        </svg>
        {g.nodes.map((n) => {
          const s = known.get(n.id);
          return (
            s && (
              <button
                key={n.id}
                type="button"
                className="gnode"
                style={{ left: n.x, top: n.y, width: g.node, height: size.height }}
                data-tone={toneOfStep(s.state)}
                aria-pressed={chosen === n.id}
                title={s.title}
                data-item
                onClick={() => choose(n.id)}
              >
                <span className="one">{s.title || s.id}</span>
                <StepMark s={s} />
              </button>
            )
          );
        })}
      </div>
    </div>
  );
}
