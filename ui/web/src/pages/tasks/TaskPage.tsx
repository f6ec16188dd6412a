import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ListTree, Play, Waypoints } from 'lucide-react';
import { useEffect } from 'react';
import { useT } from '../../i18n/index.ts';
import { line } from '../../live/line.ts';
import { get, post } from '../../live/rest.ts';
import { store, useLive, useVersion } from '../../live/store.ts';
import type { CCMessage, LedgerRow, TaskStatus } from '../../live/words.ts';
import { isTaskFinal } from '../../live/words.ts';
import { useApprovals } from '../../parts/Approvals.tsx';
import { Cancel } from '../../parts/Cancel.tsx';
import { Elapsed, Moment, Until } from '../../parts/Clock.tsx';
import { Copied } from '../../parts/Copied.tsx';
import { CopyCommand } from '../../parts/Copy.tsx';
import { Fault } from '../../parts/Fault.tsx';
import { Letter } from '../../parts/Letter.tsx';
import { Sought } from '../../parts/Sought.tsx';
import { Status } from '../../parts/Status.tsx';
import { Tabs } from '../../parts/Tabs.tsx';
import { Title } from '../../parts/Title.tsx';
import { money } from '../../parts/time.ts';
import { taskRoute } from '../../router.tsx';
import { Took } from './Took.tsx';
import { useLedger } from './useLedger.ts';
import { useWords } from './words.ts';

interface Branch {
  taskId: string;
  parentId: string | null;
  from: string;
  to: string;
  status: TaskStatus;
  content: string;
  result: string | null;
}

interface Tree extends Branch {
  priority: 'low' | 'normal' | 'high' | 'urgent';
  code: string | null;
  openSubtasks: number;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  deadline: string | null;
  subtasks: Branch[];
}

/** One task with everything below it. */
export function TaskPage() {
  const t = useT();
  const { id } = taskRoute.useParams();
  const live = useLive(`task:${id}`, () => store.tasks.get(id));
  const root = live?.root_id ?? id;
  const changes = useVersion(`tree:${root}`);
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: ['task', id],
    queryFn: ({ signal }) => get<Tree>(`/tasks/${encodeURIComponent(id)}`, signal),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: changes says that the tree is another
  useEffect(() => {
    const timer = setTimeout(() => void queries.invalidateQueries({ queryKey: ['task', id] }), 150);
    return () => clearTimeout(timer);
  }, [changes, id, queries]);
  return (
    <Sought error={error} unknown={t.task.unknown} others={t.nav.tasks} to="/tasks">
      {data && <Seen task={data} root={root} />}
    </Sought>
  );
}

function Seen({ task, root }: { task: Tree; root: string }) {
  const t = useT();
  const { tab } = taskRoute.useSearch();
  const navigate = taskRoute.useNavigate();
  const parked = useApprovals().some((a) => a.task_id === root);
  const over = isTaskFinal(task.status);
  const w = useWords();
  const ledger = useLedger(task.taskId, root);
  const own = ledger.get(task.taskId);
  const below = [task.taskId, ...task.subtasks.map((x) => x.taskId)];
  const spent = below.reduce((n, id) => n + (ledger.get(id)?.micros ?? 0), 0);
  return (
    <div className="stack">
      <Title
        icon={ListTree}
        status={task.status}
        name={
          <>
            {task.from} → {task.to} <Status s={task.status} />
          </>
        }
        id={task.taskId}
      >
        <CopyCommand text={`kurogo task ${task.taskId}`} />
        <Link to="/flow" search={{ task: root }} className="btn">
          <Waypoints size={14} aria-hidden />
          {t.nav.flow}
        </Link>
        {parked && (
          <button type="button" className="btn" onClick={() => void post(`/tasks/${encodeURIComponent(root)}/resume`)}>
            <Play size={14} aria-hidden />
            {t.tasks.grant}
          </button>
        )}
        <Cancel
          on={!over}
          sure={t.task.cancelSure}
          why={t.task.cancelWhy(task.openSubtasks)}
          act={() => line.call('cancel_task', { taskId: task.taskId, reason: 'from the stage' })}
        />
      </Title>
      <div className="two">
        <div className="stack">
          <Tabs
            label={t.task.title}
            chosen={tab === 'messages' ? 'messages' : 'tree'}
            choose={(k) => void navigate({ search: k === 'tree' ? {} : { tab: k }, replace: true })}
            tabs={[
              {
                key: 'tree',
                label: t.task.tree,
                n: task.subtasks.length,
                body: () => <Body task={task} ledger={ledger} />,
              },
              { key: 'messages', label: t.task.messages, body: () => <Messages id={task.taskId} /> },
            ]}
          />
        </div>
        <aside className="panel">
          <header>
            <h3>{t.agent.facts}</h3>
          </header>
          <dl className="in facts">
            {task.parentId && (
              <>
                <dt>{t.task.parent}</dt>
                <dd>
                  <Link className="link mono" to="/tasks/$id" params={{ id: task.parentId }}>
                    {task.parentId}
                  </Link>
                </dd>
              </>
            )}
            <dt>{t.tasks.priority}</dt>
            <dd>{t.priority[task.priority]}</dd>
            <dt>{t.task.asked}</dt>
            <dd>
              <Moment at={task.createdAt} />
            </dd>
            <dt>{t.task.took}</dt>
            <dd>
              <Elapsed from={task.startedAt ?? undefined} to={task.finishedAt} />
            </dd>
            <dt>{t.task.due}</dt>
            <dd>
              {task.deadline ? (
                <>
                  <Moment at={task.deadline} />
                  {!over && (
                    <span className="tag">
                      <Until to={task.deadline} />
                    </span>
                  )}
                </>
              ) : (
                t.task.noDeadline
              )}
            </dd>
            {own && (
              <>
                <dt>{w.turns}</dt>
                <dd className="num">{own.turns}</dd>
                <dt>{w.attemptsName}</dt>
                <dd className="num">{own.attempts}</dd>
                <dt>{w.spent}</dt>
                <dd className="num">
                  {money(own.micros)}
                  {task.subtasks.length > 0 && (
                    <span className="faint small">
                      {w.tree}: {money(spent)}
                    </span>
                  )}
                </dd>
              </>
            )}
            <dt>{t.task.open}</dt>
            <dd className="num">{task.openSubtasks}</dd>
            {task.code && (
              <>
                <dt>{t.task.code}</dt>
                <dd className="mono">{task.code}</dd>
              </>
            )}
          </dl>
        </aside>
      </div>
    </div>
  );
}

function Body({ task, ledger }: { task: Tree; ledger: Map<string, LedgerRow> }) {
  const t = useT();
  return (
    <>
      <Copied name={t.task.content} text={task.content} />
      {task.result && <Copied name={t.agent.result} text={task.result} mark={<Status s={task.status} />} />}
      {task.subtasks.length > 0 && (
        <section className="panel">
          <header>
            <h3>{t.task.tree}</h3>
          </header>
          <div className="in tree">
            <Branches of={task.taskId} all={task.subtasks} ledger={ledger} />
          </div>
        </section>
      )}
    </>
  );
}

function Branches({ of, all, ledger }: { of: string; all: Branch[]; ledger: Map<string, LedgerRow> }) {
  const below = all.filter((x) => x.parentId === of);
  if (below.length === 0) return null;
  return (
    <ol>
      {below.map((x) => (
        <li key={x.taskId}>
          <Link to="/tasks/$id" params={{ id: x.taskId }} className="node" data-item>
            <Status s={x.status} />
            <span className="dim one">{x.to}</span>
            <span className="one">{x.content}</span>
            <Took row={ledger.get(x.taskId)} />
          </Link>
          <Branches of={x.taskId} all={all} ledger={ledger} />
        </li>
      ))}
    </ol>
  );
}

function Messages({ id }: { id: string }) {
  const t = useT();
  const live = useLive(`task:${id}`, () => store.tasks.get(id));
  const changes = useVersion(`tree:${live?.root_id ?? id}`);
  const { data, error } = useQuery({
    queryKey: ['messages', id, changes],
    queryFn: ({ signal }) =>
      get<{ messages: CCMessage[] }>(`/messages?task=${encodeURIComponent(id)}&limit=1000`, signal),
    placeholderData: (old) => old,
  });
  if (error) return <Fault error={error} />;
  if (!data) return <p className="dim">{t.loading}</p>;
  return (
    <section className="panel">
      <ol className="in">
        {data.messages.map((m) => (
          <Letter key={m.id} m={m} />
        ))}
      </ol>
    </section>
  );
}
