import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useT } from '../../i18n/index.ts';
import { store, useVersion } from '../../live/store.ts';
import { iconOf } from '../../parts/icons.ts';
import { toneOfType } from '../../parts/Letter.tsx';
import { Status } from '../../parts/Status.tsx';
import { exact } from '../../parts/time.ts';
import { laneOf, lanesOf, type Said } from './script.ts';

const rowHeight = 44;
const gutter = 76;
const narrowest = 96;

/** Who says what to whom, from top to bottom, as it is said. */
export function Sequence({
  said,
  chosen,
  choose,
}: {
  said: Said[];
  chosen: number | null;
  choose: (seq: number) => void;
}) {
  const t = useT();
  useVersion('crew');
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(900);
  const [follow, setFollow] = useState(true);
  const lanes = lanesOf([...store.crew.keys()], said);
  const lane = Math.max(narrowest, (width - gutter) / lanes.length);
  const total = gutter + lane * lanes.length;
  const x = (address: string) => gutter + lane * (lanes.indexOf(laneOf(address)) + 0.5);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = new ResizeObserver(() => setWidth(element.clientWidth));
    measure.observe(element);
    const look = () => setFollow(element.scrollHeight - element.scrollTop - element.clientHeight < 60);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      measure.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  const rows = useVirtualizer({
    count: said.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  });
  useEffect(() => {
    const element = box.current;
    if (follow && element && said.length > 0) element.scrollTop = element.scrollHeight;
  }, [said.length, follow]);

  const height = said.length * rowHeight + 16;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="seq" ref={box} tabIndex={0} aria-label={t.flow.sequence}>
      <div className="lanes" style={{ gridTemplateColumns: `${gutter}px repeat(${lanes.length}, ${lane}px)` }}>
        <span />
        {lanes.map((name) => {
          const m = store.crew.get(name);
          const Icon = iconOf(name);
          return (
            <div key={name} className="lane" data-on={m?.state === 'working'}>
              <Icon size={15} aria-hidden />
              <b>{m?.title || (name === 'user' ? t.flow.you : name === 'agents' ? t.flow.agents : name)}</b>
              {m ? <Status s={m.state} size={11} /> : <span className="st">&nbsp;</span>}
            </div>
          );
        })}
      </div>
      <svg className="arrows" width={total} height={height} role="group" aria-label={t.flow.sequence}>
        {lanes.map((name) => (
          <line key={name} className="life" x1={x(name)} x2={x(name)} y1={0} y2={height} />
        ))}
        {rows.getVirtualItems().map((item) => {
          const s = said[item.index];
          return (
            s && (
              <Arrow
                key={s.seq}
                s={s}
                y={item.start}
                from={x(s.m.from_agent)}
                to={x(s.m.to_agent)}
                width={total}
                chosen={chosen === s.seq}
                choose={choose}
              />
            )
          );
        })}
      </svg>
      {!follow && (
        <button
          type="button"
          className="btn small jump"
          style={{ position: 'sticky', left: '50%', bottom: 12, marginTop: -40 }}
          onClick={() => setFollow(true)}
        >
          <ArrowDown size={13} aria-hidden />
          {t.agent.toEnd}
        </button>
      )}
    </section>
  );
}

const troubled = new Set(['refused', 'dead', 'expired']);

function Arrow({
  s,
  y,
  from,
  to,
  width,
  chosen,
  choose,
}: {
  s: Said;
  y: number;
  from: number;
  to: number;
  width: number;
  chosen: boolean;
  choose: (seq: number) => void;
}) {
  const t = useT();
  const trouble = troubled.has(s.fate);
  const right = to >= from;
  const room = Math.max(12, Math.floor(Math.max(Math.abs(to - from), 150) / 7.2));
  const text = (s.m.content.split('\n').find((l) => l.trim()) ?? s.m.type).trim();
  const middle = (from + to) / 2;
  const time = exact(s.m.timestamp).split(/[ ,]+/).at(-1);
  const label = `${s.m.from_agent} → ${s.m.to_agent}: ${s.m.type}, ${t.flow.fate[s.fate]}. ${text}`;
  const tip = to + (right ? -2 : 2);
  return (
    <g
      className="arrow"
      data-tone={trouble ? 'bad' : toneOfType(s.m.type)}
      data-dim={trouble || s.fate === 'accepted' || s.fate === 'retried' || s.fate === 'parked'}
      transform={`translate(0 ${y})`}
      role="button"
      tabIndex={0}
      data-item
      aria-pressed={chosen}
      onClick={() => choose(s.seq)}
      onKeyDown={(e) => {
        if (e.key === 'Enter' || e.key === ' ') {
          e.preventDefault();
          choose(s.seq);
        }
      }}
    >
      <title>{label}</title>
      <rect className="hit" x={0} y={1} width={width} height={rowHeight - 2} rx={6} />
      <text className="when" x={10} y={28}>
        {time}
      </text>
      <text x={middle} y={17} textAnchor="middle">
        {text.length > room ? `${text.slice(0, room - 1)}…` : text}
      </text>
      <line x1={from} x2={tip} y1={28} y2={28} />
      {trouble ? (
        <path d={`M${middle - 6} 22l12 12M${middle + 6} 22l-12 12`} />
      ) : (
        <path className="tip" d={`M${tip} 28l${right ? -9 : 9} -4.5v9z`} />
      )}
    </g>
  );
}
