import { useT } from '../../i18n/index.ts';
import { Elapsed, Moment } from '../../parts/Clock.tsx';
import { Copy } from '../../parts/Copy.tsx';
import { money } from '../../parts/time.ts';
import type { Job } from './job.ts';
import type { RunInput, RunOutput } from './plan.ts';
import type { Trace } from './trace.ts';
import { useWords } from './words.ts';

/** What is to be known of a run besides its steps. */
export function RunFacts({ job, all, files }: { job: Job<RunInput, RunOutput>; all: Trace; files: string[] }) {
  const t = useT();
  const w = useWords();
  const relied = all.plan?.relied_on ?? [];
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
        {job.output && (
          <>
            <dt>{w.exit}</dt>
            <dd className="num">{job.output.exit}</dd>
          </>
        )}
        {files.length > 0 && (
          <>
            <dt>{w.filesChanged}</dt>
            <dd>
              {files.map((f) => (
                <code key={f}>{f}</code>
              ))}
            </dd>
          </>
        )}
        {relied.length > 0 && (
          <>
            <dt>{w.relied}</dt>
            <dd>
              {relied.map((p) => (
                <code key={p}>{p}</code>
              ))}
            </dd>
          </>
        )}
      </dl>
    </aside>
  );
}
