import { useQuery } from '@tanstack/react-query';
import { Gauge } from 'lucide-react';
import { get } from '../../live/rest.ts';
import { evalsRoute } from '../../router.tsx';
import { JobsPage } from '../runs/JobsPage.tsx';
import type { Job } from '../runs/job.ts';
import { useFresh } from '../runs/useFresh.ts';
import { Badge } from './Badge.tsx';
import { best, type Evaluation } from './evaluation.ts';
import { StartEval } from './StartEval.tsx';
import { phaseOf, useWords } from './words.ts';
import '../../styles/evals.css';

/** What was judged, and how it did. */
export function EvalsPage() {
  const w = useWords();
  const { status } = evalsRoute.useSearch();
  const navigate = evalsRoute.useNavigate();
  return (
    <JobsPage
      ware="evaluations"
      status={status}
      choose={(search) => void navigate({ search, replace: true })}
      icon={Gauge}
      words={w}
      command="kurogo evaluate README.md"
      start={StartEval}
      phase={(state) => phaseOf(w, state)}
      badge={(job) => <Score job={job} />}
    />
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
  return top && <Badge verdict={top.verdict} target={data?.input?.target_score ?? 0} />;
}
