import { ask } from '../../live/rest.ts';
import { Cancel } from '../../parts/Cancel.tsx';
import type { Job, Ware } from './job.ts';

/** Cancels a job, as long as it runs. */
export function CancelJob({
  ware,
  job,
  words: w,
}: {
  ware: Ware;
  job: Job;
  words: { cancelSure: string; cancelWhy: string };
}) {
  return (
    <Cancel
      on={job.status === 'running'}
      sure={w.cancelSure}
      why={w.cancelWhy}
      act={() => ask(`/${ware}/${encodeURIComponent(job.job_id)}`, { method: 'DELETE' })}
    />
  );
}
