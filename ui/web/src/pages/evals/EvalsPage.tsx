import { useQuery } from '@tanstack/react-query';
import { Gauge, Play } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../i18n/index.ts';
import { get } from '../../live/rest.ts';
import { Command } from '../../parts/Copy.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Fault } from '../../parts/Fault.tsx';
import { evalsRoute } from '../../router.tsx';
import { JobFilters, JobList } from '../runs/JobList.tsx';
import type { Job } from '../runs/job.ts';
import { useFresh } from '../runs/useFresh.ts';
import { useJobs } from '../runs/useJobs.ts';
import { Badge } from './Badge.tsx';
import { best, type Evaluation } from './evaluation.ts';
import { StartEval } from './StartEval.tsx';
import { phaseOf, useWords } from './words.ts';
import '../../styles/evals.css';
import '../../styles/runs.css';

/** What was judged, and how it did. */
export function EvalsPage() {
  const t = useT();
  const w = useWords();
  const { status } = evalsRoute.useSearch();
  const navigate = evalsRoute.useNavigate();
  const { jobs, total, data, error, hasNextPage, fetchNextPage, isFetching } = useJobs('evaluations', status);
  const [starting, setStarting] = useState(false);
  return (
    <main className="page flush" id="page">
      <div className="filters">
        <JobFilters
          chosen={status}
          choose={(s) => void navigate({ search: s ? { status: s } : {}, replace: true })}
          words={w.filters}
        />
        <span className="sp" />
        <button type="button" className="btn go" onClick={() => setStarting(true)}>
          <Play size={14} aria-hidden />
          {w.start}
        </button>
      </div>
      {error && <Fault error={error} />}
      {!data ? (
        !error && <p className="in dim">{t.loading}</p>
      ) : jobs.length === 0 ? (
        <Empty icon={Gauge} title={status ? t.stage.noMatch : w.empty}>
          {!status && (
            <>
              <p>{w.why}</p>
              <Command text={'kurogo evaluate README.md'} />
            </>
          )}
        </Empty>
      ) : (
        <JobList
          jobs={jobs}
          to="/evals/$id"
          label={w.list}
          phase={(state) => phaseOf(w, state)}
          badge={(job) => <Score job={job} />}
          foot={
            hasNextPage && (
              <p className="in">
                <button type="button" className="btn" disabled={isFetching} onClick={() => void fetchNextPage()}>
                  {w.older(total - jobs.length)}
                </button>
              </p>
            )
          }
        />
      )}
      {starting && <StartEval onClose={() => setStarting(false)} />}
    </main>
  );
}

/** The best verdict of one in the list. A list does not carry them: who is in sight asks, and once if it has ended. */
function Score({ job }: { job: Job }) {
  const key = ['evaluation', job.job_id];
  useFresh(key, `job:${job.job_id}`, job.status === 'running');
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => get<Evaluation>(`/evaluations/${encodeURIComponent(job.job_id)}`, signal),
    staleTime: (q) => (q.state.data?.status === job.status && job.status !== 'running' ? Number.POSITIVE_INFINITY : 0),
  });
  const top = best(data?.rounds ?? []);
  if (!top) return null;
  return (
    <Badge
      score={top.verdict.score}
      scores={top.verdict.rubric_scores}
      pass={!top.verdict.blocker && top.verdict.score >= (data?.input?.target_score ?? 0)}
    />
  );
}
