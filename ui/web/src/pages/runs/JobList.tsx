import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
import { useT } from '../../i18n/index.ts';
import { Elapsed, Moment } from '../../parts/Clock.tsx';
import { Rows } from '../../parts/Rows.tsx';
import { Status, toneOf } from '../../parts/Status.tsx';
import { money } from '../../parts/time.ts';
import type { Job } from './job.ts';

const row = 60; // px; two lines where it is narrow

/** Jobs of one kind, the newest first. Only those in sight are there. */
export function JobList({
  jobs,
  to,
  label,
  phase,
  badge,
  foot,
}: {
  jobs: Job[];
  to: '/runs/$id' | '/evals/$id';
  label: string;
  phase: (state: string) => string;
  badge?: ((job: Job) => ReactNode) | undefined;
  foot?: ReactNode;
}) {
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: jobs.length,
    getScrollElement: () => box.current,
    estimateSize: () => row,
    getItemKey: (i) => jobs[i]?.job_id ?? i,
    overscan: 8,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="jlist" data-badged={badge !== undefined} ref={box} tabIndex={0} aria-label={label}>
      <Rows virtual={virtual}>
        {(i) => {
          const j = jobs[i];
          return (
            j && (
              <Link to={to} params={{ id: j.job_id }} className="jrow" data-tone={toneOf(j.status)} data-item>
                <Status s={j.status} />
                <span className="what">
                  <span className="one">{j.title}</span>
                  <span className="one small dim">
                    {j.status === 'running' ? phase(j.state) : j.error !== j.status && j.error}
                  </span>
                </span>
                <span className="badge">{badge?.(j)}</span>
                <span className="num small dim end" title={t.agent.cost}>
                  {j.cost_micros > 0 && money(j.cost_micros)}
                </span>
                <span className="small dim end">
                  {j.status === 'running' ? <Elapsed from={j.created_at} /> : <Moment at={j.created_at} />}
                </span>
              </Link>
            )
          );
        }}
      </Rows>
      {foot}
    </section>
  );
}
