import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { OctagonX, Route as RouteIcon, SearchX, Undo2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useT } from '../../i18n/index.ts';
import { ask, get } from '../../live/rest.ts';
import { Confirm } from '../../parts/Act.tsx';
import { Copy, CopyCommand } from '../../parts/Copy.tsx';
import { Diff } from '../../parts/Diff.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Fault } from '../../parts/Fault.tsx';
import { Status, toneOf } from '../../parts/Status.tsx';
import { Tabs } from '../../parts/Tabs.tsx';
import { runRoute } from '../../router.tsx';
import { Questions } from '../approvals/Questions.tsx';
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
  const error = job.error ?? entries.error;
  return (
    <main className="page" id="page">
      {job.data && entries.data ? (
        <Seen job={job.data} trace={whole} />
      ) : error ? (
        <Empty icon={SearchX} title={w.unknown}>
          <Fault error={error} />
          <Link className="btn" to="/runs">
            {t.nav.runs}
          </Link>
        </Empty>
      ) : (
        <p className="dim">{t.loading}</p>
      )}
    </main>
  );
}

const tabs = ['steps', 'tools', 'changes'] as const;

function Seen({ job, trace: all }: { job: Job<RunInput, RunOutput>; trace: Trace }) {
  const t = useT();
  const w = useWords();
  const { tab, step = '' } = runRoute.useSearch();
  const navigate = runRoute.useNavigate();
  const [asking, setAsking] = useState<'cancel' | 'undo' | null>(null);
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
      <header className="title" data-tone={toneOf(job.status)}>
        <span className="sigil">
          <RouteIcon size={20} aria-hidden />
        </span>
        <div className="names">
          <h2>
            <span className="task">{job.input?.task ?? job.title}</span> <Status s={job.status} />
          </h2>
          <span className="with mono faint">
            <span className="one">{job.job_id}</span>
            <Copy text={job.job_id} what={t.col.id} />
            {on && (
              <span className="dim" role="status">
                {phaseOf(w, job.state)}
              </span>
            )}
          </span>
        </div>
        <span className="sp" />
        <div className="row">
          <CopyCommand text={`kurogo runs ${job.job_id}`} />
          {!on && wrote && (
            <button type="button" className="btn" onClick={() => setAsking('undo')}>
              <Undo2 size={14} aria-hidden />
              {w.undo}
            </button>
          )}
          {on && (
            <button type="button" className="btn danger" onClick={() => setAsking('cancel')}>
              <OctagonX size={14} aria-hidden />
              {w.cancel}
            </button>
          )}
        </div>
      </header>
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
      {asking === 'cancel' && (
        <Confirm
          title={w.cancelSure}
          verb={w.cancel}
          act={() => ask(`/runs/${encodeURIComponent(job.job_id)}`, { method: 'DELETE' })}
          onClose={() => setAsking(null)}
        >
          <p className="dim">{w.cancelWhy}</p>
        </Confirm>
      )}
      {asking === 'undo' && <UndoRun id={job.job_id} files={files.length} onClose={() => setAsking(null)} />}
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
