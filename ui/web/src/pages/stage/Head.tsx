import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useT } from '../../i18n/index.ts';
import type { AgentStatus } from '../../live/words.ts';
import { toneOf } from '../../parts/Status.tsx';
import type { Counts, Section } from './layout.ts';

const order: AgentStatus[] = [
  'completed',
  'result_reported',
  'running',
  'queued',
  'failed',
  'lost',
  'timed_out',
  'cancelled',
];

export const doneOf = (counts: Counts): number =>
  order.reduce((n, s) => n + (s === 'queued' || s === 'running' ? 0 : (counts[s] ?? 0)), 0);

/** How far a group is: one stretch a state, and the figures for those who do not see it. */
export function Progress({ counts, total }: { counts: Counts; total: number }) {
  const t = useT();
  const said = order.filter((s) => counts[s]).map((s) => `${t.state[s]} ${counts[s]}`);
  if (total === 0) return null;
  return (
    <span className="with progress" title={said.join(', ')}>
      <span className="bar" role="img" aria-label={said.join(', ')}>
        {order.map((s) => counts[s] && <i key={s} data-tone={toneOf(s)} style={{ flex: counts[s] }} />)}
      </span>
      <span className="num dim">
        {doneOf(counts)}/{total}
      </span>
    </span>
  );
}

/** The head of a group: what it is for, and how far it is. */
export function Head({ section, folded, fold }: { section: Section; folded: boolean; fold: (id: string) => void }) {
  const t = useT();
  const { group, counts, total, shown } = section;
  const name = group ? group.description || group.groupId : t.stage.unfiled;
  const Chevron = folded ? ChevronRight : ChevronDown;
  return (
    <header className="ghead">
      <button
        type="button"
        className="btn quiet small icon"
        aria-expanded={!folded}
        aria-label={t.stage.fold(name)}
        onClick={() => fold(section.id)}
      >
        <Chevron size={15} aria-hidden />
      </button>
      <h2 className="one">
        {group ? (
          <Link to="/groups/$id" params={{ id: group.groupId }} data-item>
            {name}
          </Link>
        ) : (
          name
        )}
      </h2>
      {group && <span className="mono faint one wide">{group.groupId}</span>}
      <span className="dim num">{shown === total ? t.agents(total) : t.someAgents(shown, total)}</span>
      <span className="sp" />
      <Progress counts={counts} total={total} />
    </header>
  );
}
