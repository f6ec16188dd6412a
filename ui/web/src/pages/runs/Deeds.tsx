import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import { useSecond } from '../../parts/Clock.tsx';
import { Copy } from '../../parts/Copy.tsx';
import { brief } from '../../parts/time.ts';
import { type Bar, bars } from '../agent/bars.ts';
import type { Deed } from './trace.ts';
import { useWords } from './words.ts';

const row = 34; // px

/** Every use of a tool and every proof on one axis, below each other; one may be looked at. */
export function Deeds({ deeds, over }: { deeds: Deed[]; over: boolean }) {
  const w = useWords();
  const box = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState('');
  const open = !over && deeds.some((d) => !d.endedAt);
  const now = useSecond(open);
  const rows = useMemo(() => bars(deeds, Date.parse(deeds[0]?.startedAt ?? ''), now), [deeds, now]);
  const virtual = useVirtualizer({
    count: deeds.length,
    getScrollElement: () => box.current,
    estimateSize: () => row,
    overscan: 12,
  });
  if (deeds.length === 0) return <p className="dim">{w.noDeeds}</p>;
  const look = deeds.find((d) => d.callId === chosen);
  return (
    <>
      <section className="panel deedlist" ref={box} aria-label={w.tools}>
        <ol style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map((item) => {
            const d = deeds[item.index];
            const b = rows[item.index];
            return (
              d &&
              b && (
                <li
                  key={d.callId}
                  className="vrow"
                  aria-setsize={deeds.length}
                  aria-posinset={item.index + 1}
                  style={{ height: item.size, transform: `translateY(${item.start}px)` }}
                >
                  <Row
                    d={d}
                    b={b}
                    over={over}
                    chosen={chosen === d.callId}
                    choose={() => setChosen(chosen === d.callId ? '' : d.callId)}
                  />
                </li>
              )
            );
          })}
        </ol>
      </section>
      {look && <Look d={look} />}
    </>
  );
}

const toneOf = (d: Deed, over: boolean): string =>
  d.refused ? 'warn' : d.code ? 'bad' : d.endedAt ? 'good' : over ? 'queued' : 'running';

function Row({ d, b, over, chosen, choose }: { d: Deed; b: Bar; over: boolean; chosen: boolean; choose: () => void }) {
  const w = useWords();
  return (
    <button
      type="button"
      className="deed"
      data-tone={toneOf(d, over)}
      data-proof={d.proof || undefined}
      aria-pressed={chosen}
      data-item
      onClick={choose}
    >
      <b className="one">
        {d.type}
        {d.refused ? ` · ${w.refused}` : d.code ? ` · ${d.code}` : ''}
      </b>
      <span className="one small dim">{d.step}</span>
      <span className="track" aria-hidden>
        <i style={{ left: `${b.left}%`, width: `${b.width}%` }} />
      </span>
      <span className="num small dim end">{brief(b.took)}</span>
    </button>
  );
}

function Look({ d }: { d: Deed }) {
  const w = useWords();
  return (
    <section className="panel" aria-label={d.type}>
      <header>
        <h3 className="mono">{d.type}</h3>
        {d.proof && <span className="tag">{w.proof}</span>}
        <span className="sp" />
        {d.agent && (
          <Link className="link mono" to="/agents/$id" params={{ id: d.agent }}>
            {d.agent}
          </Link>
        )}
      </header>
      <div className="in stack">
        {d.args && <Text name={w.input} text={pretty(d.args)} />}
        {d.endedAt && <Text name={w.result} text={d.result || w.silent} />}
      </div>
    </section>
  );
}

function Text({ name, text }: { name: string; text: string }) {
  return (
    <figure className="proof">
      <figcaption className="row">
        <h4>{name}</h4>
        <span className="sp" />
        <Copy text={text} what={name} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </figure>
  );
}

// What was cut is no JSON any more, and is shown as it came.
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
