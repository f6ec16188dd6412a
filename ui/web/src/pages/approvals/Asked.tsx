import { Link } from '@tanstack/react-router';
import { BadgeDollarSign, Inbox, Terminal, Trash2 } from 'lucide-react';
import { useT } from '../../i18n/index.ts';
import type { Approval } from '../../live/words.ts';
import { isMoney } from '../../parts/Approvals.tsx';
import { money } from '../../parts/time.ts';
import { useWords } from './words.ts';

const icons = { delete: Trash2, command: Terminal } as const;

/** The questions that wait, as rows of the strip of what needs attention; how many when there are others. */
export function Asked({ approvals, most }: { approvals: Approval[]; most: number }) {
  const t = useT();
  const w = useWords();
  return (
    <>
      {approvals.slice(0, most).map((a) => {
        const Icon = isMoney(a) ? BadgeDollarSign : (icons[a.kind as keyof typeof icons] ?? Inbox);
        const title = isMoney(a) ? (a.kind === 'day' ? t.tasks.dayBudget : t.tasks.taskBudget) : w.titleOf(a.kind);
        return (
          <li key={a.id || `${a.kind}${a.task_id}`}>
            <Link to="/approvals" className="alert" data-tone="warn" data-item>
              <Icon size={15} aria-hidden />
              <b>{title}</b>
              <span className="one">
                {isMoney(a) && `${money(a.spent_micros)} / ${money(a.limit_micros)} `}
                {a.content}
              </span>
            </Link>
          </li>
        );
      })}
      {approvals.length > most && (
        <li>
          <Link to="/approvals" className="alert more">
            {w.all(approvals.length)}
          </Link>
        </li>
      )}
    </>
  );
}
