import { type LucideIcon, Play } from 'lucide-react';
import { type ComponentType, type ReactNode, useState } from 'react';
import { useT } from '../../i18n/index.ts';
import { Chips } from '../../parts/Chips.tsx';
import { Command } from '../../parts/Copy.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Fault } from '../../parts/Fault.tsx';
import { JobList } from './JobList.tsx';
import type { Job, Ware } from './job.ts';
import { useJobs } from './useJobs.ts';
import '../../styles/runs.css';

const filters = ['running', 'completed', 'failed', 'cancelled'] as const;

const pageOf = { evaluations: 'evals', runs: 'runs' } as const;

/** The jobs of one kind: which of them are seen is in the address, and one more can be started. */
export function JobsPage({
  ware,
  status,
  choose,
  icon,
  words: w,
  command,
  start: Start,
  above,
  phase,
  badge,
}: {
  ware: Ware;
  status: string | undefined;
  choose: (search: { status?: string }) => void;
  icon: LucideIcon;
  words: { start: string; empty: string; why: string };
  command: string; // starts one from a terminal
  start: ComponentType<{ onClose: () => void }>;
  above?: ReactNode; // the list
  phase: (state: string) => string;
  badge?: (job: Job) => ReactNode;
}) {
  const t = useT();
  const page = pageOf[ware];
  const { jobs, total, data, error, hasNextPage, fetchNextPage, isFetching } = useJobs(ware, status);
  const [starting, setStarting] = useState(false);
  return (
    <main className="page flush" id="page">
      <div className="filters">
        <Chips keys={filters} names={t.state} chosen={status} choose={(s) => choose(s ? { status: s } : {})} />
        <span className="sp" />
        <button type="button" className="btn go" onClick={() => setStarting(true)}>
          <Play size={14} aria-hidden />
          {w.start}
        </button>
      </div>
      {above}
      {error && <Fault error={error} />}
      {!data ? (
        !error && <p className="in dim">{t.loading}</p>
      ) : jobs.length === 0 ? (
        <Empty icon={icon} title={status ? t.stage.noMatch : w.empty}>
          {!status && (
            <>
              <p>{w.why}</p>
              <Command text={command} />
            </>
          )}
        </Empty>
      ) : (
        <JobList
          jobs={jobs}
          to={`/${page}/$id`}
          label={t.nav[page]}
          phase={phase}
          badge={badge}
          foot={
            hasNextPage && (
              <p className="in">
                <button type="button" className="btn" disabled={isFetching} onClick={() => void fetchNextPage()}>
                  {t.older(total - jobs.length)}
                </button>
              </p>
            )
          }
        />
      )}
      {starting && <Start onClose={() => setStarting(false)} />}
    </main>
  );
}
