import { useNavigate } from '@tanstack/react-router';
import { useT } from '../../i18n/index.ts';
import { type Agent, isFinal } from '../../live/words.ts';
import { useSecond } from '../../parts/Clock.tsx';
import { toneOf } from '../../parts/Status.tsx';
import { at, brief } from '../../parts/time.ts';

const left = 190;
const width = 900;
const rowHeight = 30;
const top = 30;

/** A step of the axis that a person can count in: 1, 2 or 5 of a power of ten, or of a minute. */
export function stepOf(span: number): number {
  const wanted = span / 6;
  const steps = [
    100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000,
    7_200_000, 21_600_000, 86_400_000,
  ];
  return steps.find((s) => s >= wanted) ?? Math.ceil(wanted / 86_400_000) * 86_400_000;
}

/** Who waited and who worked when, on one axis. */
export function Gantt({ agents }: { agents: Agent[] }) {
  const t = useT();
  const navigate = useNavigate();
  const open = agents.some((a) => !isFinal(a.status));
  const now = useSecond(open);
  if (agents.length === 0) return <p className="dim">{t.stage.emptyGroup}</p>;
  const from = Math.min(...agents.map((a) => at(a.queuedAt)));
  const to = Math.max(from + 100, ...agents.map((a) => (isFinal(a.status) ? at(a.endedAt) : now)));
  const step = stepOf(to - from);
  const x = (time: number) => left + ((time - from) / (to - from)) * (width - left - 16);
  const height = top + agents.length * rowHeight + 8;
  const ticks = Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => i * step);
  return (
    <figure className="panel gantt">
      <svg viewBox={`0 0 ${width} ${height}`} role="group" aria-label={t.group.timeline}>
        {ticks.map((ms) => (
          <g key={ms}>
            <line x1={x(from + ms)} x2={x(from + ms)} y1={top - 6} y2={height - 4} className="axis" />
            <text x={x(from + ms)} y={16} className="tick" textAnchor="middle">
              {brief(ms)}
            </text>
          </g>
        ))}
        {agents.map((a, i) => {
          const y = top + i * rowHeight;
          const start = a.startedAt ? at(a.startedAt) : undefined;
          const end = isFinal(a.status) ? at(a.endedAt) : now;
          return (
            <g
              key={a.agentId}
              className="gbar"
              data-tone={toneOf(a.outcome ?? a.status)}
              role="link"
              tabIndex={0}
              data-item
              onClick={() => void navigate({ to: '/agents/$id', params: { id: a.agentId } })}
              onKeyDown={(e) => {
                if (e.key === 'Enter') void navigate({ to: '/agents/$id', params: { id: a.agentId } });
              }}
            >
              <title>{`${a.agentId}: ${t.state[a.status]}`}</title>
              <rect x={0} y={y} width={width} height={rowHeight - 2} className="hit" rx={6} />
              <text x={8} y={y + 18}>
                {a.agentId.length > 26 ? `${a.agentId.slice(0, 25)}…` : a.agentId}
              </text>
              <line x1={x(at(a.queuedAt))} x2={x(start ?? end)} y1={y + 14} y2={y + 14} className="queue" />
              {start !== undefined && (
                <>
                  <rect
                    x={x(start)}
                    y={y + 5}
                    width={Math.max(3, x(end) - x(start))}
                    height={18}
                    rx={4}
                    className="work"
                  />
                  <text
                    x={x(end) - x(start) > 64 ? x(start) + 7 : x(end) + 6}
                    y={y + 18}
                    className={x(end) - x(start) > 64 ? 'in' : undefined}
                    textAnchor={x(end) - x(start) <= 64 && x(end) > width - 70 ? 'end' : 'start'}
                    dx={x(end) - x(start) <= 64 && x(end) > width - 70 ? x(start) - x(end) - 12 : 0}
                  >
                    {brief(end - start)}
                  </text>
                </>
              )}
            </g>
          );
        })}
      </svg>
    </figure>
  );
}
