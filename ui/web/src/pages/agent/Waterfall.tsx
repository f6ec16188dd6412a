import type { ToolCall } from '../../live/words.ts';
import { useSecond } from '../../parts/Clock.tsx';
import { at, brief } from '../../parts/time.ts';
import { type Bar, bars } from './bars.ts';
import { useWords } from './words.ts';

/** When each of the last uses of tools began and how long it took, below each other. */
export function Waterfall({
  calls,
  from,
  over,
}: {
  calls: ToolCall[];
  from: string | undefined;
  over: string | undefined;
}) {
  const w = useWords();
  const timed = calls.filter((c) => c.startedAt);
  const open = !over && timed.some((c) => !c.endedAt);
  const now = useSecond(open);
  if (timed.length === 0) return null;
  const rows = bars(timed, from ? at(from) : Number.NaN, over ? at(over) : now);
  return (
    <figure className="panel waterfall" aria-label={w.waterfall}>
      <header>
        <h3>{w.waterfall}</h3>
      </header>
      <ol className="in">
        {rows.map((b) => (
          <Row key={b.id} b={b} began={w.began} />
        ))}
      </ol>
    </figure>
  );
}

function Row({ b, began }: { b: Bar; began: string }) {
  return (
    <li data-tone={b.open ? 'running' : 'good'}>
      <b className="one">{b.name}</b>
      <span className="track" aria-hidden>
        <i style={{ left: `${b.left}%`, width: `${b.width}%` }} />
      </span>
      <span className="num small" title={`${began}: ${brief(b.after)}`}>
        {brief(b.took)}
      </span>
    </li>
  );
}
