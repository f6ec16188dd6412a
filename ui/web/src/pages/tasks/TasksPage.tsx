import { Link } from '@tanstack/react-router';
import { ListTree } from 'lucide-react';
import { useT } from '../../i18n/index.ts';
import { store, useLive, useVersion } from '../../live/store.ts';
import { isTaskFinal, type Task } from '../../live/words.ts';
import { Approvals } from '../../parts/Approvals.tsx';
import { Chips } from '../../parts/Chips.tsx';
import { Elapsed, Moment } from '../../parts/Clock.tsx';
import { Command } from '../../parts/Copy.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Find } from '../../parts/Find.tsx';
import { Status, toneOf } from '../../parts/Status.tsx';
import { tasksRoute } from '../../router.tsx';
import { Compose } from './Compose.tsx';
import { Took } from './Took.tsx';
import { useLedger } from './useLedger.ts';

const filters = ['open', 'completed', 'failed'] as const;

const tones = { open: 'running', completed: 'good', failed: 'bad' } as const;

const kindOf = (x: Task): (typeof filters)[number] =>
  !isTaskFinal(x.status) ? 'open' : x.status === 'completed' ? 'completed' : 'failed';

/** What the crew was asked for. An agent's own task is seen on the agent's page. */
export function TasksPage() {
  const t = useT();
  const { status, q } = tasksRoute.useSearch();
  const navigate = tasksRoute.useNavigate();
  const loaded = useLive('loaded', () => store.loaded);
  const ledger = useLedger(null);
  useVersion('tasks');
  const roots = [...store.tasks.values()].filter((x) => x.depth === 0 && !x.owner.startsWith('agent:'));
  roots.sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  const counts = { open: 0, completed: 0, failed: 0 };
  for (const x of roots) counts[kindOf(x)]++;
  const wanted = (q ?? '').toLowerCase();
  const shown = roots.filter(
    (x) =>
      (!status || kindOf(x) === status) &&
      (!wanted || `${x.content}\n${x.id}\n${x.owner}\n${x.result ?? ''}`.toLowerCase().includes(wanted)),
  );
  const choose = (change: { status?: string | undefined; q?: string }) =>
    void navigate({ search: (old) => ({ ...old, ...change }) as typeof old, replace: true });
  return (
    <main className="page stack" id="page">
      <Approvals />
      <Compose />
      <div className="row">
        <Chips
          keys={filters}
          names={t.tasks.filter}
          chosen={status}
          choose={(s) => choose({ status: s })}
          tones={tones}
          counts={counts}
          total={roots.length}
        />
        <span className="sp" />
        <Find label={t.tasks.find} value={q ?? ''} say={(text) => choose({ q: text })} />
      </div>
      {shown.length > 0 ? (
        <ul className="panel list">
          {shown.map((x) => (
            <li key={x.id}>
              <Link to="/tasks/$id" params={{ id: x.id }} className="trow" data-tone={toneOf(x.status)} data-item>
                <Status s={x.status} />
                <span className="one">{x.content}</span>
                <Took row={ledger.get(x.id)} />
                <span className="dim small">{x.owner}</span>
                <span className="dim small">
                  {isTaskFinal(x.status) ? (
                    <Moment at={x.created_at} />
                  ) : (
                    <Elapsed from={x.started_at ?? x.created_at} />
                  )}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        loaded && (
          <Empty icon={ListTree} title={roots.length > 0 ? t.stage.noMatch : t.tasks.empty}>
            {roots.length === 0 && <Command text={'kurogo submit "…" --wait'} />}
          </Empty>
        )
      )}
    </main>
  );
}
