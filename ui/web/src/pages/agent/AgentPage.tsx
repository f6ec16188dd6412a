import { Link } from '@tanstack/react-router';
import { RotateCcw, SearchX } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../i18n/index.ts';
import { line } from '../../live/line.ts';
import { store, useLive } from '../../live/store.ts';
import { type Agent, isFinal } from '../../live/words.ts';
import { Cancel } from '../../parts/Cancel.tsx';
import { Until } from '../../parts/Clock.tsx';
import { Copied } from '../../parts/Copied.tsx';
import { Copy, CopyCommand, quote } from '../../parts/Copy.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { iconOf } from '../../parts/icons.ts';
import { RunAgent } from '../../parts/RunAgent.tsx';
import { Status } from '../../parts/Status.tsx';
import { Tabs } from '../../parts/Tabs.tsx';
import { Title } from '../../parts/Title.tsx';
import { brief, money, tokens } from '../../parts/time.ts';
import { agentRoute } from '../../router.tsx';
import { useAgent } from '../stage/Card.tsx';
import { Files, fileCount } from './Files.tsx';
import { Live } from './Live.tsx';
import { Raw } from './Raw.tsx';
import { Result } from './Result.tsx';
import { Stepper } from './Stepper.tsx';
import { Tools } from './Tools.tsx';
import { useDetail } from './useDetail.ts';
import { useLog } from './useLog.ts';
import { useWords } from './words.ts';

/** One agent, as closely as one can look. */
export function AgentPage() {
  const { id } = agentRoute.useParams();
  const { tab } = agentRoute.useSearch();
  const navigate = agentRoute.useNavigate();
  return (
    <main className="page" id="page">
      <AgentView key={id} id={id} tab={tab} choose={(k) => void navigate({ search: { tab: k }, replace: true })} />
    </main>
  );
}

/** The same without a page around it. An agent that the socket no longer tells of is still in the journal. */
export function AgentView({ id, tab, choose }: { id: string; tab: string | undefined; choose: (tab: string) => void }) {
  const t = useT();
  const known = useAgent(id);
  const { data, error } = useDetail(id);
  if (error && !known && !data) {
    return (
      <Empty icon={SearchX} title={t.agent.unknown(id)}>
        <p>{t.agent.unknownWhy}</p>
        <Link className="btn" to="/history">
          {t.nav.history}
        </Link>
      </Empty>
    );
  }
  const now = known ?? data;
  if (!now) return <p className="dim">{t.loading}</p>;
  const a: Agent = data
    ? {
        ...now,
        prompt: data.prompt,
        run: {
          ...now.run,
          ...(data.run.argv ? { argv: data.run.argv } : {}),
          ...(data.run.recentToolCalls ? { recentToolCalls: data.run.recentToolCalls } : {}),
        },
      }
    : now;
  return <Seen a={a} tab={tab} choose={choose} />;
}

const tabs = ['live', 'tools', 'files', 'result', 'raw'] as const;
type TabKey = (typeof tabs)[number];

function Seen({ a, tab, choose }: { a: Agent; tab: string | undefined; choose: (tab: string) => void }) {
  const t = useT();
  const log = useLog(a.agentId, 'stdout');
  const chosen: TabKey = tabs.find((k) => k === tab) ?? (isFinal(a.status) ? 'result' : 'live');
  const toolCount = log.transcript.entries.reduce((n, e) => n + (e.kind === 'tool' ? 1 : 0), 0);
  return (
    <div className="stack">
      <Head a={a} />
      <Stepper a={a} />
      {a.status === 'queued' && a.waiting && <p className="dim">{t.agent.waits(a.waiting)}</p>}
      <div className="two">
        <div className="stack">
          <Tabs
            label={t.agent.title}
            chosen={chosen}
            choose={choose}
            tabs={[
              { key: 'live', label: t.agent.live, body: () => <Live log={log} /> },
              {
                key: 'tools',
                label: t.agent.tools,
                n: toolCount || a.run.toolCallCount,
                body: () => <Tools log={log} a={a} />,
              },
              { key: 'files', label: t.agent.files, n: fileCount(a.run), body: () => <Files run={a.run} /> },
              { key: 'result', label: t.agent.result, body: () => <Result id={a.agentId} a={a} /> },
              { key: 'raw', label: t.agent.raw, body: () => <Raw agent={a.agentId} stdout={log} /> },
            ]}
          />
        </div>
        <Facts a={a} />
      </div>
    </div>
  );
}

function Head({ a }: { a: Agent }) {
  const t = useT();
  const name = useLive('roles', () => store.roles.get(a.role)?.name ?? a.role);
  const [again, setAgain] = useState(false);
  return (
    <Title
      icon={iconOf(a.role)}
      status={a.outcome ?? a.status}
      name={
        <>
          {name} <Status s={a.status} />
        </>
      }
      id={a.agentId}
    >
      <CopyCommand text={`kurogo logs ${a.agentId} --follow`} />
      <button type="button" className="btn" onClick={() => setAgain(true)}>
        <RotateCcw size={14} aria-hidden />
        {t.run.again}
      </button>
      <Cancel
        on={!isFinal(a.status)}
        sure={t.agent.cancelSure(a.agentId)}
        why={t.agent.cancelWhy}
        act={() => line.call('cancel_agent', { agentId: a.agentId, reason: 'from the stage' })}
      />
      {again && <RunAgent again={a} onClose={() => setAgain(false)} />}
    </Title>
  );
}

function Facts({ a }: { a: Agent }) {
  const t = useT();
  const w = useWords();
  const group = useLive('groups', () => store.groups.get(a.groupId));
  const { run } = a;
  const due = a.startedAt && a.timeout > 0 ? new Date(Date.parse(a.startedAt) + a.timeout / 1e6).toISOString() : null;
  const used = (run.inputTokens ?? 0) + (run.outputTokens ?? 0) > 0;
  return (
    <aside className="stack">
      <section className="panel">
        <header>
          <h3>{t.agent.facts}</h3>
          {a.rehearsal && <span className="tag">{t.rehearsal}</span>}
        </header>
        <dl className="in facts">
          <dt>{t.col.group}</dt>
          <dd>
            <Link className="link" to="/groups/$id" params={{ id: a.groupId }}>
              {group?.description || a.groupId}
            </Link>
          </dd>
          <dt>{t.col.role}</dt>
          <dd>
            <Link className="link" to="/roles" search={{ role: a.role }}>
              {a.role}
            </Link>
          </dd>
          <dt>{t.agent.driver}</dt>
          <dd>{a.driver || '–'}</dd>
          <dt>{t.col.model}</dt>
          <dd>{a.model || t.agent.driversOwn}</dd>
          {a.workingDirectory && (
            <>
              <dt>{t.agent.dir}</dt>
              <dd>
                <code>{a.workingDirectory}</code>
                <Copy text={a.workingDirectory} what={t.path} />
              </dd>
            </>
          )}
          {a.isolation && (
            <>
              <dt>{t.agent.isolation}</dt>
              <dd>{a.isolation === 'worktree' ? t.agent.worktree : t.agent.noIsolation}</dd>
            </>
          )}
          {a.timeout > 0 && (
            <>
              <dt>{t.agent.timeout}</dt>
              <dd className="num">
                {brief(a.timeout / 1e6)}
                {due && !isFinal(a.status) && (
                  <span className="tag">
                    <Until to={due} />
                  </span>
                )}
              </dd>
            </>
          )}
          {a.createdBy && (
            <>
              <dt>{t.agent.by}</dt>
              <dd>{a.createdBy}</dd>
            </>
          )}
          {used && (
            <>
              <dt>{t.agent.tokens}</dt>
              <dd className="num">
                {tokens(run.inputTokens)} → {tokens(run.outputTokens)}
              </dd>
            </>
          )}
          {(run.costMicros ?? 0) > 0 && (
            <>
              <dt>{t.agent.cost}</dt>
              <dd className="num">{money(run.costMicros)}</dd>
            </>
          )}
          {isFinal(a.status) && (
            <>
              <dt>{t.agent.exit}</dt>
              <dd className="num">
                {run.exitCode}
                {run.signal && <span className="tag">{run.signal}</span>}
              </dd>
            </>
          )}
        </dl>
      </section>
      {run.argv && run.argv.length > 0 && (
        <section className="panel">
          <header>
            <h3>{w.argv}</h3>
            <span className="sp" />
            <Copy text={run.argv.map(quote).join(' ')} what={w.commandLine} />
          </header>
          <div className="in stack">
            <pre className="text mono argv">{run.argv.map(quote).join(' ')}</pre>
            <p className="faint small">{w.argvWhy}</p>
          </div>
        </section>
      )}
      {a.prompt && <Copied name={t.run.prompt} text={a.prompt} />}
    </aside>
  );
}
