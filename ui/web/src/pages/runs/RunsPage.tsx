import { useQuery } from '@tanstack/react-query';
import { Route as RouteIcon } from 'lucide-react';
import { get } from '../../live/rest.ts';
import { brief } from '../../parts/time.ts';
import { runsRoute } from '../../router.tsx';
import { JobsPage } from './JobsPage.tsx';
import type { Stats } from './plan.ts';
import { StartRun } from './StartRun.tsx';
import { useFresh } from './useFresh.ts';
import { phaseOf, useWords } from './words.ts';

/** What was planned, carried out and proved. */
export function RunsPage() {
  const w = useWords();
  const { status } = runsRoute.useSearch();
  const navigate = runsRoute.useNavigate();
  return (
    <JobsPage
      ware="runs"
      status={status}
      choose={(search) => void navigate({ search, replace: true })}
      icon={RouteIcon}
      words={w}
      command={'kurogo run --task "…"'}
      start={StartRun}
      above={<Gone />}
      phase={(state) => phaseOf(w, state)}
    />
  );
}

/** How the runs have gone, once one has. */
function Gone() {
  const w = useWords();
  useFresh(['stats'], 'run');
  const { data } = useQuery({ queryKey: ['stats'], queryFn: ({ signal }) => get<Stats>('/stats', signal) });
  if (!data || data.runs === 0) return null;
  const share = (n: number) => `${Math.round(n * 100)} %`;
  return (
    <dl className="tiles" aria-label={w.stats.title}>
      <Tile name={w.stats.runs} value={String(data.runs)} />
      <Tile name={w.stats.success} value={share(data.success_rate)} />
      <Tile name={w.stats.p95} value={brief(data.p95_ms)} />
      <Tile name={w.stats.repairs} value={String(data.repairs)} />
      <Tile name={w.stats.refusals} value={String(data.refusals)} />
      {data.replanned > 0 && <Tile name={w.stats.reproduced} value={share(data.plan_reproduction)} />}
    </dl>
  );
}

function Tile({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="num">{value}</dd>
    </div>
  );
}
