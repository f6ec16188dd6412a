import { Link } from '@tanstack/react-router';
import { Check, ShieldQuestionMark, Terminal, Trash2, X } from 'lucide-react';
import { post } from '../../live/rest.ts';
import type { Approval } from '../../live/words.ts';
import { isMoney, useApprovals } from '../../parts/Approvals.tsx';
import { Moment } from '../../parts/Clock.tsx';
import { Command } from '../../parts/Copy.tsx';
import { Fault } from '../../parts/Fault.tsx';
import { useDeed } from '../../parts/useDeed.ts';
import { useWords } from './words.ts';

/** What jobs ask a person for, or one job; each with its two answers. */
export function Questions({ job }: { job?: string }) {
  const asked = useApprovals().filter((a) => !isMoney(a) && (job === undefined || a.job_id === job));
  return asked.map((a) => <Question key={a.id} a={a} linked={job === undefined} />);
}

function Question({ a, linked }: { a: Approval; linked: boolean }) {
  const w = useWords();
  // approval:answered takes it away
  const answer = (allow: boolean) => () => post(`/approvals/${encodeURIComponent(a.id ?? '')}`, { allow });
  const yes = useDeed(answer(true), () => {});
  const no = useDeed(answer(false), () => {});
  const busy = yes.busy || no.busy;
  const error = yes.error ?? no.error;
  const Icon = a.kind === 'delete' ? Trash2 : a.kind === 'command' ? Terminal : ShieldQuestionMark;
  const title = w.titleOf(a.kind);
  return (
    <section className="panel" data-tone="warn" aria-label={`${title} ${a.content}`}>
      <header>
        <Icon size={16} aria-hidden />
        <h2>{title}</h2>
        <span className="sp" />
        <span className="small dim">
          <Moment at={a.since} />
        </span>
      </header>
      <div className="in stack">
        <Command text={a.content ?? ''} />
        {error !== null && <Fault error={error} />}
        <div className="row">
          {linked && a.job_id && (
            <Link className="link" to="/runs/$id" params={{ id: a.job_id }} data-item>
              {w.of}
            </Link>
          )}
          <span className="sp" />
          <button type="button" className="btn danger" disabled={busy} onClick={no.run}>
            <X size={14} aria-hidden />
            {w.deny}
          </button>
          <button type="button" className="btn go" disabled={busy} onClick={yes.run}>
            <Check size={14} aria-hidden />
            {w.allow}
          </button>
        </div>
      </div>
    </section>
  );
}
