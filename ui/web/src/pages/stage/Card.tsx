import { Link } from '@tanstack/react-router';
import { Wrench } from 'lucide-react';
import { memo } from 'react';
import { useT, type Words } from '../../i18n/index.ts';
import { store, useLive } from '../../live/store.ts';
import type { Agent } from '../../live/words.ts';
import { Elapsed } from '../../parts/Clock.tsx';
import { iconOf } from '../../parts/icons.ts';
import { Status, toneOf } from '../../parts/Status.tsx';

const news = 700; // ms in which a change is still news

export const modelOf = (a: { driver: string; model?: string | undefined }): string =>
  a.model ? `${a.driver} · ${a.model}` : a.driver;

/** What an agent says: why it waits, what broke it, or its last words. */
export function lastOf(a: Agent, t: Words): string {
  if (a.status === 'queued') return a.waiting ? t.agent.waits(a.waiting) : a.prompt;
  return a.run.error || a.run.lastAssistantMessage || a.prompt;
}

export const useAgent = (id: string): Agent | undefined => useLive(`agent:${id}`, () => store.agents.get(id));

// An agent, and by what it is known at a glance: the name of its role and its sign.
function useFace(id: string) {
  const a = useAgent(id);
  const role = a?.role ?? '';
  return [a, useLive('roles', () => store.roles.get(role)?.name ?? role), iconOf(role)] as const;
}

const isNews = (id: string): boolean => performance.now() - (store.changed.get(id) ?? Number.NEGATIVE_INFINITY) < news;

/** One agent, as a card. */
export const Card = memo(function Card({ id }: { id: string }) {
  const t = useT();
  const [a, name, Icon] = useFace(id);
  if (!a) return <div className="agent card" />;
  return (
    <Link
      to="/agents/$id"
      params={{ id }}
      className="agent card"
      data-item
      data-peek={id}
      data-tone={toneOf(a.outcome ?? a.status)}
      data-news={isNews(id) ? a.status : undefined}
    >
      <span className="head">
        <Icon size={16} aria-hidden />
        <b className="one">{name}</b>
        <span className="sp" />
        <Status s={a.status} />
      </span>
      <span className="mono id">{id}</span>
      <span className="say">{lastOf(a, t)}</span>
      <span className="foot">
        <span className="one">{modelOf(a)}</span>
        {a.rehearsal && a.driver !== 'rehearsal' && <span className="tag">{t.rehearsal}</span>}
        <span className="sp" />
        <span className="num with" title={t.toolCalls}>
          <Wrench size={12} aria-hidden />
          <span className="sr">{t.toolCalls}</span>
          {a.run.toolCallCount}
        </span>
        <Elapsed from={a.startedAt} to={a.endedAt} />
      </span>
    </Link>
  );
});

/** The same as a line of a table. */
export const Line = memo(function Line({ id }: { id: string }) {
  const t = useT();
  const [a, name, Icon] = useFace(id);
  if (!a) return null;
  return (
    <Link
      to="/agents/$id"
      params={{ id }}
      className="line"
      data-item
      data-peek={id}
      data-tone={toneOf(a.outcome ?? a.status)}
    >
      <span>
        <Status s={a.status} />
      </span>
      <span className="with one">
        <Icon size={14} aria-hidden />
        <span className="one">{name}</span>
      </span>
      <span className="mono one faint">{id}</span>
      <span className="one">{lastOf(a, t)}</span>
      <span className="one dim">{modelOf(a)}</span>
      <span className="num end">{a.run.toolCallCount}</span>
      <span className="end">
        <Elapsed from={a.startedAt} to={a.endedAt} />
      </span>
    </Link>
  );
});
