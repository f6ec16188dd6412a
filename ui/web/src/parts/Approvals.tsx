import { useQuery, useQueryClient } from '@tanstack/react-query';
import { BadgeDollarSign } from 'lucide-react';
import { useEffect } from 'react';
import { useT } from '../i18n/index.ts';
import { get, post } from '../live/rest.ts';
import { store, useVersion } from '../live/store.ts';
import type { Approval } from '../live/words.ts';
import { useDeed } from './Act.tsx';
import { Fault } from './Fault.tsx';
import { money } from './time.ts';

/** What waits for a person's word. The snapshot says it; a parked message is reason to ask again. */
export function useApprovals(): Approval[] {
  const parked = useVersion('money');
  const loaded = useVersion('approvals');
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: ['approvals'],
    queryFn: ({ signal }) => get<{ approvals: Approval[] }>('/approvals', signal),
    enabled: parked > 0,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: both say that there may be news
  useEffect(() => {
    if (parked > 0) void queries.invalidateQueries({ queryKey: ['approvals'] });
  }, [parked, loaded, queries]);
  return data?.approvals ?? store.approvals;
}

/** The questions about money, each with its one answer. */
export function Approvals() {
  const approvals = useApprovals();
  return approvals.map((a) => <Question key={`${a.kind}${a.task_id}`} a={a} />);
}

function Question({ a }: { a: Approval }) {
  const t = useT();
  const queries = useQueryClient();
  const { busy, error, run } = useDeed(
    () => post(a.task_id ? `/tasks/${encodeURIComponent(a.task_id)}/resume` : '/approvals'),
    () => {
      store.approvals = store.approvals.filter((x) => x !== a);
      store.mark('money');
      void queries.invalidateQueries({ queryKey: ['approvals'] });
    },
  );
  return (
    <div className="panel" data-tone="warn">
      <header>
        <BadgeDollarSign size={16} aria-hidden />
        <h2>{a.kind === 'day' ? t.tasks.dayBudget : t.tasks.taskBudget}</h2>
        <span className="num dim">
          {money(a.spent_micros)} / {money(a.limit_micros)}
        </span>
        <span className="sp" />
        <button type="button" className="btn go" disabled={busy} onClick={run}>
          {t.tasks.grant}
        </button>
      </header>
      <div className="in stack">
        {a.content && <p className="text">{a.content}</p>}
        <p className="dim">{t.tasks.waitingFor(a.waiting)}</p>
        {error !== null && <Fault error={error} />}
      </div>
    </div>
  );
}
