import { useRef } from 'react';
import { useLang } from '../../i18n/index.ts';
import { money, tokens } from '../../parts/time.ts';
import { linear } from '../evals/scale.ts';
import { useWidth } from '../evals/useWidth.ts';
import { amount, type CostRow, days, type Measure, sum, top } from './bill.ts';
import { useWords } from './words.ts';

const height = 190;
const rim = { top: 12, right: 10, bottom: 24, left: 74 };
const most = 30;

/** What was spent on each of the last days, with the limit of a day where there is one. The table says it in words. */
export function Days({ rows, measure, limit }: { rows: CostRow[]; measure: Measure; limit: number }) {
  const w = useWords();
  const lang = useLang();
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 280);
  // The house counts days as its own clock has them, and the newest of them is the last.
  const last = rows.reduce((x, r) => (r.key > x ? r.key : x), '');
  if (!last) return null;
  const shown = days(rows, last, width < 520 ? 14 : most);
  const say = (n: number) => (measure === 'money' ? money(n) : tokens(n));
  const capped = measure === 'money' && limit > 0;
  const end = top(Math.max(...shown.map((r) => amount(r, measure)), capped ? limit : 0));
  const y = linear([0, end], [height - rim.bottom, rim.top]);
  const band = (width - rim.left - rim.right) / shown.length;
  const name = (key: string) =>
    new Intl.DateTimeFormat(lang, { month: 'numeric', day: 'numeric', timeZone: 'UTC' }).format(
      new Date(`${key}T00:00:00Z`),
    );
  const every = Math.ceil(shown.length / Math.max(2, Math.floor((width - rim.left) / 56)));
  return (
    <figure className="panel chart in" ref={box} aria-label={w.days(shown.length)}>
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={w.chart(say(amount(sum(shown), measure)))}
      >
        {[0, end / 2, end].map((n) => (
          <g key={n}>
            <line className="grid" x1={rim.left} x2={width - rim.right} y1={y(n)} y2={y(n)} />
            <text className="tick" x={rim.left - 8} y={y(n) + 4} textAnchor="end">
              {say(n)}
            </text>
          </g>
        ))}
        {shown.map((r, i) => (
          <g key={r.key}>
            <rect
              className="spent"
              x={rim.left + i * band + band * 0.15}
              y={y(amount(r, measure))}
              width={band * 0.7}
              height={Math.max(amount(r, measure) > 0 ? 1 : 0, height - rim.bottom - y(amount(r, measure)))}
              rx={2}
            >
              <title>{`${name(r.key)}: ${say(amount(r, measure))}`}</title>
            </rect>
            {(shown.length - 1 - i) % every === 0 && (
              <text className="tick" x={rim.left + (i + 0.5) * band} y={height - 6} textAnchor="middle">
                {name(r.key)}
              </text>
            )}
          </g>
        ))}
        {capped && (
          <>
            <line className="target" x1={rim.left} x2={width - rim.right} y1={y(limit)} y2={y(limit)} />
            <text className="targetname" x={rim.left + 4} y={y(limit) - 5}>
              {w.limit} {money(limit)}
            </text>
          </>
        )}
      </svg>
    </figure>
  );
}
