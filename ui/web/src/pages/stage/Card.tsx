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

const isNews = (id: string): boolean => performance.now() - (store.changed.get(id) ?? Number.NEGATIVE_INFINITY) < news;

/** One agent, as a card. */
export const Card = memo(function Card({ id }: { id: string }) {
  const t = useT();
  const a = useAgent(id);
  const name = useLive('roles', () => store.roles.get(a?.role ?? '')?.name);
  if (!a) return <div className="agent card" />;
  const Icon = iconOf(a.role);
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
        <b className="one">{name ?? a.role}</b>
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
  const a = useAgent(id);
  const name = useLive('roles', () => store.roles.get(a?.role ?? '')?.name);
  if (!a) return null;
  const Icon = iconOf(a.role);
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
        <span className="one">{name ?? a.role}</span>
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
