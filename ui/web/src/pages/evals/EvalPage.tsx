import { useQuery } from '@tanstack/react-query';
import { Gauge } from 'lucide-react';
import { useT } from '../../i18n/index.ts';
import { get } from '../../live/rest.ts';
import { Copied } from '../../parts/Copied.tsx';
import { CopyCommand } from '../../parts/Copy.tsx';
import { Diff } from '../../parts/Diff.tsx';
import { Sought } from '../../parts/Sought.tsx';
import { Status, toneOf } from '../../parts/Status.tsx';
import { Tabs } from '../../parts/Tabs.tsx';
import { Title } from '../../parts/Title.tsx';
import { evalRoute } from '../../router.tsx';
import { CancelJob } from '../runs/CancelJob.tsx';
import { useFresh } from '../runs/useFresh.ts';
import { Badge } from './Badge.tsx';
import { Chart } from './Chart.tsx';
import { EvalFacts } from './EvalFacts.tsx';
import { best, type Evaluation, improvedOf } from './evaluation.ts';
import { Rounds } from './Rounds.tsx';
import { RoundView } from './RoundView.tsx';
import { phaseOf, useWords } from './words.ts';
import '../../styles/evals.css';

/** One evaluation: its rounds against the target, what was suggested and what was rewritten. */
export function EvalPage() {
  const t = useT();
  const w = useWords();
  const { id } = evalRoute.useParams();
  const key = ['evaluation', id];
  useFresh(key, `job:${id}`);
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => get<Evaluation>(`/evaluations/${encodeURIComponent(id)}`, signal),
  });
  return (
    <Sought error={error} unknown={w.unknown} others={t.nav.evals} to="/evals">
      {data && <Seen e={data} />}
    </Sought>
  );
}

const tabs = ['rounds', 'changes', 'document'] as const;

function Seen({ e }: { e: Evaluation }) {
  const t = useT();
  const w = useWords();
  const { tab, round } = evalRoute.useSearch();
  const navigate = evalRoute.useNavigate();
  const on = e.status === 'running';
  const top = best(e.rounds);
  const target = e.input?.target_score ?? 0;
  const say = (change: { tab?: string; round?: string }) =>
    void navigate({ search: (old) => ({ ...old, ...change }), replace: true });
  return (
    <div className="stack">
      <Title
        icon={Gauge}
        status={e.status}
        name={
          <>
            <span className="task">{e.title}</span> <Status s={e.status} />
            {top && <Badge verdict={top.verdict} target={target} />}
          </>
        }
        id={e.job_id}
        now={on && phaseOf(w, e.state)}
      >
        <CopyCommand text={`kurogo evaluations ${e.job_id}`} />
        <CancelJob ware="evaluations" job={e} words={w} />
      </Title>
      {e.error && (
        <p className="notice text" data-tone={toneOf(e.status)}>
          {e.error}
        </p>
      )}
      <div className="two">
        <div className="stack">
          <Tabs
            label={t.nav.evals}
            chosen={tabs.find((x) => x === tab) ?? 'rounds'}
            choose={(k) => say({ tab: k === 'rounds' ? '' : k })}
            tabs={[
              {
                key: 'rounds',
                label: w.tabRounds,
                n: e.rounds.length,
                body: () => <All e={e} round={Number(round)} choose={(n) => say({ round: String(n) })} />,
              },
              { key: 'changes', label: w.tabChanges, n: e.versions.length, body: () => <Changes e={e} /> },
              { key: 'document', label: w.tabDocument, body: () => <Documents e={e} /> },
            ]}
          />
        </div>
        <EvalFacts e={e} />
      </div>
    </div>
  );
}

function All({ e, round, choose }: { e: Evaluation; round: number; choose: (n: number) => void }) {
  const w = useWords();
  const target = e.input?.target_score ?? 0;
  const shown = e.rounds.find((r) => r.number === round) ?? e.rounds.at(-1);
  if (!shown) return <p className="dim">{e.status === 'running' ? w.judging : w.noRounds}</p>;
  return (
    <>
      {e.rounds.length > 1 && (
        <>
          <figure className="panel in" aria-label={w.chart}>
            <Chart rounds={e.rounds} target={target} chosen={shown.number} choose={choose} />
          </figure>
          <Rounds
            rounds={e.rounds}
            target={target}
            best={best(e.rounds)?.number ?? 0}
            chosen={shown.number}
            picked={shown.number === round}
            choose={choose}
          />
        </>
      )}
      <RoundView
        round={shown}
        version={e.versions.find((v) => v.version === shown.version)}
        weights={e.input?.weights}
        target={target}
      />
    </>
  );
}

function Changes({ e }: { e: Evaluation }) {
  const w = useWords();
  const whole = improvedOf(e.output)?.diff;
  if (e.versions.length === 0) return <p className="dim">{w.noVersions}</p>;
  return (
    <>
      {whole && e.versions.length > 1 && <Diff text={whole} label={w.wholeDiff} />}
      {e.versions.map((v) => (
        <section key={v.version} className="stack">
          <Diff text={v.diff} label={w.diffOf(v.version)} />
          {v.summary && <p className="text dim">{v.summary}</p>}
        </section>
      ))}
    </>
  );
}

function Documents({ e }: { e: Evaluation }) {
  const w = useWords();
  const improved = improvedOf(e.output);
  return (
    <>
      {improved && improved.version > 0 && <Paper name={w.bestDocument} text={improved.document} />}
      {e.input && <Paper name={w.given} text={e.input.document} />}
    </>
  );
}

function Paper({ name, text }: { name: string; text: string }) {
  return (
    <Copied name={name} text={text}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className="paper" tabIndex={0}>
        {text}
      </pre>
    </Copied>
  );
}
