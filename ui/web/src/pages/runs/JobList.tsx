import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
import { useT } from '../../i18n/index.ts';
import { Elapsed, Moment } from '../../parts/Clock.tsx';
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
  badge?: (job: Job) => ReactNode;
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
      <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map((item) => {
          const j = jobs[item.index];
          return (
            j && (
              <div
                key={item.key}
                className="vrow"
                style={{ height: item.size, transform: `translateY(${item.start}px)` }}
              >
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
              </div>
            )
          );
        })}
      </div>
      {foot}
    </section>
  );
}

const filters = ['running', 'completed', 'failed', 'cancelled'] as const;

/** The chips that choose among the ways in which a job can stand. */
export function JobFilters({
  chosen,
  choose,
  words,
}: {
  chosen: string | undefined;
  choose: (status: string | undefined) => void;
  words: Record<(typeof filters)[number], string>;
}) {
  const t = useT();
  return (
    <>
      <button type="button" className="chip" aria-pressed={!chosen} onClick={() => choose(undefined)}>
        {t.all}
      </button>
      {filters.map((f) => (
        <button
          key={f}
          type="button"
          className="chip"
          aria-pressed={chosen === f}
          onClick={() => choose(chosen === f ? undefined : f)}
        >
          {words[f]}
        </button>
      ))}
    </>
  );
}
