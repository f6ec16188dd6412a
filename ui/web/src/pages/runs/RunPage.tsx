import { useQuery } from '@tanstack/react-query';
import { Route as RouteIcon, Undo2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useT } from '../../i18n/index.ts';
import { get } from '../../live/rest.ts';
import { CopyCommand } from '../../parts/Copy.tsx';
import { Diff } from '../../parts/Diff.tsx';
import { Sought } from '../../parts/Sought.tsx';
import { Status, toneOf } from '../../parts/Status.tsx';
import { Tabs } from '../../parts/Tabs.tsx';
import { Title } from '../../parts/Title.tsx';
import { runRoute } from '../../router.tsx';
import { Questions } from '../approvals/Questions.tsx';
import { CancelJob } from './CancelJob.tsx';
import { Deeds } from './Deeds.tsx';
import { Graph } from './Graph.tsx';
import type { Job } from './job.ts';
import type { RunInput, RunOutput } from './plan.ts';
import { RunFacts } from './RunFacts.tsx';
import { Steps } from './Steps.tsx';
import { type Trace, trace } from './trace.ts';
import { UndoRun } from './UndoRun.tsx';
import { useEntries } from './useEntries.ts';
import { useFresh } from './useFresh.ts';
import { phaseOf, useWords } from './words.ts';
import '../../styles/runs.css';

/** One run: its plan, how far each step is, what was done and what came of it. */
export function RunPage() {
  const t = useT();
  const w = useWords();
  const { id } = runRoute.useParams();
  const key = ['run', id];
  useFresh(key, `job:${id}`);
  const job = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => get<Job<RunInput, RunOutput>>(`/runs/${encodeURIComponent(id)}`, signal),
  });
  const entries = useEntries(id);
  const whole = useMemo(() => trace(entries.data ?? []), [entries.data]);
  return (
    <Sought error={job.error ?? entries.error} unknown={w.unknown} others={t.nav.runs} to="/runs">
      {job.data && entries.data && <Seen job={job.data} trace={whole} />}
    </Sought>
  );
}

const tabs = ['steps', 'tools', 'changes'] as const;

function Seen({ job, trace: all }: { job: Job<RunInput, RunOutput>; trace: Trace }) {
  const t = useT();
  const w = useWords();
  const { tab, step = '' } = runRoute.useSearch();
  const navigate = runRoute.useNavigate();
  const [undoing, setUndoing] = useState(false);
  const on = job.status === 'running';
  const files = job.output?.files ?? all.diff?.files ?? [];
  // One that was cancelled has no list of its files, but may have written some.
  const wrote = files.length > 0 || (!job.output && all.deeds.some((d) => d.changes));
  const chosen = tabs.find((x) => x === tab) ?? 'steps';
  const say = (change: { tab?: string; step?: string }) =>
    void navigate({ search: (old) => ({ ...old, ...change }), replace: true });
  const choose = (next: string) => say({ tab: 'steps', step: next });
  return (
    <div className="stack">
      <Title
        icon={RouteIcon}
        status={job.status}
        name={
          <>
            <span className="task">{job.input?.task ?? job.title}</span> <Status s={job.status} />
          </>
        }
        id={job.job_id}
        now={on && phaseOf(w, job.state)}
      >
        <CopyCommand text={`kurogo runs ${job.job_id}`} />
        {!on && wrote && (
          <button type="button" className="btn" onClick={() => setUndoing(true)}>
            <Undo2 size={14} aria-hidden />
            {w.undo}
          </button>
        )}
        <CancelJob ware="runs" job={job} words={w} />
      </Title>
      <Questions job={job.job_id} />
      {(job.error || job.output?.reason) && (
        <p className="notice text" data-tone={toneOf(job.status)}>
          {job.error || job.output?.reason}
        </p>
      )}
      <div className="two">
        <div className="stack">
          <Planned all={all} on={on} step={step} choose={choose} />
          <Tabs
            label={t.nav.runs}
            chosen={chosen}
            choose={(k) => say({ tab: k })}
            tabs={[
              {
                key: 'steps',
                label: w.steps,
                n: all.steps.length,
                body: () => <Steps steps={all.steps} chosen={step} choose={choose} over={!on} />,
              },
              { key: 'tools', label: w.tools, n: all.deeds.length, body: () => <Deeds deeds={all.deeds} over={!on} /> },
              {
                key: 'changes',
                label: w.changes,
                n: files.length,
                body: () => <Changes job={job} all={all} />,
              },
            ]}
          />
        </div>
        <RunFacts job={job} all={all} files={files} />
      </div>
      {undoing && <UndoRun id={job.job_id} files={files.length} onClose={() => setUndoing(false)} />}
    </div>
  );
}

function Planned({ all, on, step, choose }: { all: Trace; on: boolean; step: string; choose: (id: string) => void }) {
  const w = useWords();
  return (
    <section className="panel">
      <header>
        <h3>{w.plan}</h3>
        {all.made && <span className="tag">{w.source[all.made.source ?? 'asked']}</span>}
        {all.spoiled.length > 0 && (
          <span className="tag" data-tone="warn" title={all.spoiled.map((p) => p.error).join('\n')}>
            {w.spoiled(all.spoiled.length)}
          </span>
        )}
      </header>
      {all.plan ? (
        <>
          {all.plan.summary && <p className="in text">{all.plan.summary}</p>}
          <Graph steps={all.steps} chosen={step} choose={choose} />
        </>
      ) : (
        <p className="in dim">{on ? w.planning : w.noPlan}</p>
      )}
    </section>
  );
}

function Changes({ job, all }: { job: Job<RunInput, RunOutput>; all: Trace }) {
  const w = useWords();
  const whole = job.output?.diff || all.diff?.diff || '';
  const apart = all.steps.filter((s) => s.diff?.diff);
  return (
    <>
      {job.output?.text && (
        <section className="panel">
          <header>
            <h3>{w.answer}</h3>
          </header>
          <p className="in text">{job.output.text}</p>
        </section>
      )}
      {whole ? <Diff text={whole} label={w.changed} /> : apart.length === 0 && <p className="dim">{w.noChange}</p>}
      {apart.map((s) => (
        <Diff key={s.id} text={s.diff?.diff ?? ''} label={w.stepChanged(s.id)} />
      ))}
    </>
  );
}
