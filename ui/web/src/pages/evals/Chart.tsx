import { type MouseEvent, useRef } from 'react';
import { criteria, type Round } from './evaluation.ts';
import { figure, linear, nearest, path, spread, ticks } from './scale.ts';
import { useWidth } from './useWidth.ts';
import { useWords } from './words.ts';

const height = 248;
const rim = { top: 14, right: 128, bottom: 26, left: 30 };
const fewest = 40; // rounds of which each has a mark of its own

/** How the scores went from round to round, against the target. The list of rounds says the same in words. */
export function Chart({
  rounds,
  target,
  chosen,
  choose,
}: {
  rounds: Round[];
  target: number;
  chosen: number;
  choose: (n: number) => void;
}) {
  const w = useWords();
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 300);
  const x = linear([1, rounds.length], [rim.left + 8, width - rim.right - 8]);
  const y = linear([0, 10], [height - rim.bottom, rim.top]);
  const at = rounds.map((_, i) => x(i + 1));
  const series = [
    { key: 'score' as const, name: w.score, of: (r: Round) => r.verdict.score },
    ...criteria.map((c) => ({ key: c, name: w.criteria[c], of: (r: Round) => r.verdict.rubric_scores[c] })),
  ];
  const last = rounds.at(-1);
  const labels = spread(
    series.map((s) => (last ? y(s.of(last)) : 0)),
    16,
    [rim.top, height - rim.bottom],
  );
  const pick = (e: MouseEvent<SVGSVGElement>) => {
    const left = e.currentTarget.getBoundingClientRect().left;
    const r = rounds[nearest(at, e.clientX - left)];
    if (r) choose(r.number);
  };
  const here = rounds.findIndex((r) => r.number === chosen);
  return (
    <div className="chart" ref={box}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the list of rounds below does it by keyboard */}
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={w.chartOf(rounds.length, figure(target))}
        onClick={pick}
      >
        <title>{w.chart}</title>
        {[0, 2, 4, 6, 8, 10].map((n) => (
          <g key={n}>
            <line className="grid" x1={rim.left} x2={width - rim.right} y1={y(n)} y2={y(n)} />
            <text className="tick" x={rim.left - 8} y={y(n) + 4} textAnchor="end">
              {n}
            </text>
          </g>
        ))}
        {ticks(rounds.length, Math.max(3, Math.floor((width - rim.left - rim.right) / 48))).map((n) => (
          <text key={n} className="tick" x={x(n)} y={height - 6} textAnchor="middle">
            {n}
          </text>
        ))}
        <line className="target" x1={rim.left} x2={width - rim.right} y1={y(target)} y2={y(target)} />
        <text className="targetname" x={rim.left + 4} y={y(target) - 5}>
          {w.targetName} {figure(target)}
        </text>
        {here >= 0 && <line className="here" x1={at[here]} x2={at[here]} y1={rim.top} y2={height - rim.bottom} />}
        {series.toReversed().map((s) => (
          <g key={s.key} className="series" data-key={s.key}>
            <path d={path(rounds.map((r, i) => [at[i] ?? 0, y(s.of(r))]))} />
            {rounds.length <= fewest &&
              rounds.map((r, i) => (
                <circle key={r.number} cx={at[i]} cy={y(s.of(r))} r={s.key === 'score' ? 4 : 2.5} />
              ))}
          </g>
        ))}
        {last &&
          series.map((s, i) => (
            <g key={s.key} className="series" data-key={s.key}>
              <line x1={width - rim.right + 4} x2={width - rim.right + 22} y1={labels[i]} y2={labels[i]} />
              <text x={width - rim.right + 27} y={(labels[i] ?? 0) + 4}>
                {s.name} {figure(s.of(last))}
              </text>
            </g>
          ))}
      </svg>
    </div>
  );
}
