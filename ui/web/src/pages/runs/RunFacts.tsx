import { useT } from '../../i18n/index.ts';
import { Copy } from '../../parts/Copy.tsx';
import { JobFacts } from './JobFacts.tsx';
import type { Job } from './job.ts';
import type { RunInput, RunOutput } from './plan.ts';
import type { Trace } from './trace.ts';
import { useWords } from './words.ts';

/** What is to be known of a run besides its steps. */
export function RunFacts({ job, all, files }: { job: Job<RunInput, RunOutput>; all: Trace; files: string[] }) {
  const t = useT();
  const w = useWords();
  return (
    <aside className="panel">
      <header>
        <h3>{t.agent.facts}</h3>
        {job.output && (
          <span className="tag" data-tone={job.output.status === 'done' ? 'good' : 'warn'}>
            {w.outcome[job.output.status]}
          </span>
        )}
      </header>
      <dl className="in facts">
        {job.input && (
          <>
            <dt>{w.root}</dt>
            <dd>
              <code>{job.input.root}</code>
              <Copy text={job.input.root} what={t.path} />
            </dd>
            <dt>{w.planner}</dt>
            <dd>{job.input.planner}</dd>
            <dt>{w.executor}</dt>
            <dd>{job.input.executor}</dd>
            <dt>{w.asks}</dt>
            <dd>{job.input.approve === 'auto' ? w.asksNo : w.asksYes}</dd>
            {job.input.dry_run && (
              <>
                <dt>{w.dry}</dt>
                <dd>✓</dd>
              </>
            )}
          </>
        )}
        <JobFacts job={job} />
        {job.output && (
          <>
            <dt>{w.exit}</dt>
            <dd className="num">{job.output.exit}</dd>
          </>
        )}
        <Paths name={w.filesChanged} paths={files} />
        <Paths name={w.relied} paths={all.plan?.relied_on ?? []} />
      </dl>
    </aside>
  );
}

function Paths({ name, paths }: { name: string; paths: string[] }) {
  if (paths.length === 0) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {paths.map((p) => (
          <code key={p}>{p}</code>
        ))}
      </dd>
    </>
  );
}
