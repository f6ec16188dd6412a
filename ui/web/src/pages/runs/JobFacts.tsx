import { useT } from '../../i18n/index.ts';
import { Elapsed, Moment } from '../../parts/Clock.tsx';
import { money } from '../../parts/time.ts';
import type { Job } from './job.ts';

/** What is known of every job: when it was asked for, how long it took and what it cost. */
export function JobFacts({ job }: { job: Job }) {
  const t = useT();
  return (
    <>
      <dt>{t.task.asked}</dt>
      <dd>
        <Moment at={job.created_at} />
      </dd>
      <dt>{t.task.took}</dt>
      <dd>
        <Elapsed from={job.created_at} to={job.ended_at} />
      </dd>
      <dt>{t.agent.cost}</dt>
      <dd className="num">{money(job.cost_micros)}</dd>
    </>
  );
}
