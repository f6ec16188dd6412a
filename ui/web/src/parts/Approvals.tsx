import { BadgeDollarSign } from 'lucide-react';
import { useEffect } from 'react';
import { useT } from '../i18n/index.ts';
import { get, post } from '../live/rest.ts';
import { store, useLive, useVersion } from '../live/store.ts';
import type { Approval } from '../live/words.ts';
import { Fault } from './Fault.tsx';
import { money } from './time.ts';
import { useDeed } from './useDeed.ts';

// What was asked for last: several parts of a page ask for the same news at once.
let asked = 0;

/** refresh reads again what waits for a person: how many messages do is told by no event. */
async function refresh(news: number): Promise<void> {
  if (news <= asked) return;
  asked = news;
  const { approvals } = await get<{ approvals: Approval[] }>('/approvals');
  store.approvals = approvals;
  store.mark('approvals');
}

/** What waits for a person's word. Events say what is asked and answered. */
export function useApprovals(): Approval[] {
  const parked = useVersion('money');
  useEffect(() => {
    refresh(parked).catch(() => {}); // the snapshot after the next connection says it
  }, [parked]);
  return useLive('approvals', () => store.approvals);
}

/** Whether a question is about money; the others are asked by jobs. */
export const isMoney = (a: Approval): boolean => a.kind === 'task' || a.kind === 'day';

/** The questions about money, each with its one answer. */
export function Approvals() {
  const approvals = useApprovals();
  return approvals.filter(isMoney).map((a) => <Question key={`${a.kind}${a.task_id}`} a={a} />);
}

function Question({ a }: { a: Approval }) {
  const t = useT();
  const { busy, error, run } = useDeed(
    () => post(a.task_id ? `/tasks/${encodeURIComponent(a.task_id)}/resume` : '/approvals'),
    () => {}, // approval:answered takes it away
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
