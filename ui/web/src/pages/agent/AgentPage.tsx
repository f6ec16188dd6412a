import { Link } from '@tanstack/react-router';
import { OctagonX, RotateCcw, SearchX } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../i18n/index.ts';
import { line } from '../../live/line.ts';
import { store, useLive } from '../../live/store.ts';
import { type Agent, isFinal } from '../../live/words.ts';
import { Confirm } from '../../parts/Act.tsx';
import { Until } from '../../parts/Clock.tsx';
import { Copy, CopyCommand } from '../../parts/Copy.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { iconOf } from '../../parts/icons.ts';
import { RunAgent } from '../../parts/RunAgent.tsx';
import { Status, toneOf } from '../../parts/Status.tsx';
import { Tabs } from '../../parts/Tabs.tsx';
import { brief, money, tokens } from '../../parts/time.ts';
import { agentRoute } from '../../router.tsx';
import { useAgent } from '../stage/Card.tsx';
import { Files, fileCount } from './Files.tsx';
import { Live } from './Live.tsx';
import { Raw } from './Raw.tsx';
import { Result, useDetail } from './Result.tsx';
import { Stepper } from './Stepper.tsx';
import { Tools } from './Tools.tsx';
import { useLog } from './useLog.ts';

/** One agent, as closely as one can look. */
export function AgentPage() {
  const { id } = agentRoute.useParams();
  return <Loaded key={id} id={id} />;
}

// An agent that the socket no longer tells of is still in the journal.
function Loaded({ id }: { id: string }) {
  const t = useT();
  const known = useAgent(id);
  const loaded = useLive('loaded', () => store.loaded);
  const { data, error } = useDetail(id, known?.status);
  if (error && !known) {
    return (
      <main className="page" id="page">
        <Empty icon={SearchX} title={t.agent.unknown(id)}>
          <p>{t.agent.unknownWhy}</p>
          <Link className="btn" to="/history">
            {t.nav.history}
          </Link>
        </Empty>
      </main>
    );
  }
  const a: Agent | undefined =
    known ??
    (data && loaded
      ? {
          agentId: id,
          groupId: data.groupId,
          role: data.role,
          driver: store.roles.get(data.role)?.driver ?? '',
          model: data.model,
          status: data.status,
          ...(data.outcome ? { outcome: data.outcome } : {}),
          taskId: '',
          stage: 0,
          waiting: '',
          workingDirectory: '',
          timeout: 0,
          isolation: '',
          createdBy: '',
          queuedAt: data.startedAt ?? '',
          ...(data.startedAt ? { startedAt: data.startedAt } : {}),
          ...(data.result ? { endedAt: data.result.timestamp } : {}),
          prompt: '',
          run: {
            toolCallCount: data.toolCallCount,
            lastAssistantMessage: data.lastAssistantMessage,
            createdFiles: data.result?.createdFiles ?? [],
            editedFiles: data.result?.editedFiles ?? [],
            exitCode: 0,
          },
          rehearsal: false,
        }
      : undefined);
  const recent = (data?.recentToolCalls ?? []).map((c) => ({
    ...c,
    args: typeof c.args === 'string' ? c.args : JSON.stringify(c.args),
  }));
  return (
    <main className="page" id="page">
      {a ? <Seen a={a} recent={recent} /> : <p className="dim">{t.loading}</p>}
    </main>
  );
}

const tabs = ['live', 'tools', 'files', 'result', 'raw'] as const;
type TabKey = (typeof tabs)[number];

function Seen({ a, recent }: { a: Agent; recent: NonNullable<Agent['run']['recentToolCalls']> }) {
  const t = useT();
  const { tab } = agentRoute.useSearch();
  const navigate = agentRoute.useNavigate();
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
            choose={(k) => void navigate({ search: { tab: k }, replace: true })}
            tabs={[
              { key: 'live', label: t.agent.live, body: () => <Live log={log} /> },
              {
                key: 'tools',
                label: t.agent.tools,
                n: toolCount || a.run.toolCallCount,
                body: () => <Tools log={log} recent={recent} />,
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
  const [box, setBox] = useState<'cancel' | 'again' | null>(null);
  const Icon = iconOf(a.role);
  return (
    <header className="title" data-tone={toneOf(a.outcome ?? a.status)}>
      <span className="sigil">
        <Icon size={20} aria-hidden />
      </span>
      <div className="names">
        <h2>
          {name} <Status s={a.status} />
        </h2>
        <span className="with mono faint">
          <span className="one">{a.agentId}</span>
          <Copy text={a.agentId} what={t.col.id} />
        </span>
      </div>
      <span className="sp" />
      <div className="row">
        <CopyCommand text={`kurogo logs ${a.agentId} --follow`} />
        <button type="button" className="btn" onClick={() => setBox('again')}>
          <RotateCcw size={14} aria-hidden />
          {t.run.again}
        </button>
        {!isFinal(a.status) && (
          <button type="button" className="btn danger" onClick={() => setBox('cancel')}>
            <OctagonX size={14} aria-hidden />
            {t.agent.cancel}
          </button>
        )}
      </div>
      {box === 'again' && <RunAgent again={a} onClose={() => setBox(null)} />}
      {box === 'cancel' && (
        <Confirm
          title={t.agent.cancelSure(a.agentId)}
          verb={t.agent.cancel}
          act={() => line.call('cancel_agent', { agentId: a.agentId, reason: 'from the stage' })}
          onClose={() => setBox(null)}
        >
          <p className="dim">{t.agent.cancelWhy}</p>
        </Confirm>
      )}
    </header>
  );
}

function Facts({ a }: { a: Agent }) {
  const t = useT();
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
      {a.prompt && (
        <section className="panel">
          <header>
            <h3>{t.run.prompt}</h3>
            <span className="sp" />
            <Copy text={a.prompt} what={t.run.prompt} />
          </header>
          <p className="in text">{a.prompt}</p>
        </section>
      )}
    </aside>
  );
}
