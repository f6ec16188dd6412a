import { useQuery } from '@tanstack/react-query';
import { Play, Route as RouteIcon } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../i18n/index.ts';
import { get } from '../../live/rest.ts';
import { Command } from '../../parts/Copy.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Fault } from '../../parts/Fault.tsx';
import { brief } from '../../parts/time.ts';
import { runsRoute } from '../../router.tsx';
import { JobFilters, JobList } from './JobList.tsx';
import type { Stats } from './plan.ts';
import { StartRun } from './StartRun.tsx';
import { useFresh } from './useFresh.ts';
import { useJobs } from './useJobs.ts';
import { phaseOf, useWords } from './words.ts';
import '../../styles/runs.css';

/** What was planned, carried out and proved. */
export function RunsPage() {
  const t = useT();
  const w = useWords();
  const { status } = runsRoute.useSearch();
  const navigate = runsRoute.useNavigate();
  const { jobs, total, data, error, hasNextPage, fetchNextPage, isFetching } = useJobs('runs', status);
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
      <Gone />
      {error && <Fault error={error} />}
      {!data ? (
        !error && <p className="in dim">{t.loading}</p>
      ) : jobs.length === 0 ? (
        <Empty icon={RouteIcon} title={status ? t.stage.noMatch : w.empty}>
          {!status && (
            <>
              <p>{w.why}</p>
              <Command text={'kurogo run --task "…"'} />
            </>
          )}
        </Empty>
      ) : (
        <JobList
          jobs={jobs}
          to="/runs/$id"
          label={w.list}
          phase={(state) => phaseOf(w, state)}
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
      {starting && <StartRun onClose={() => setStarting(false)} />}
    </main>
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
