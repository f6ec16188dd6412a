import { Link } from '@tanstack/react-router';
import { Boxes } from 'lucide-react';
import { useT } from '../../i18n/index.ts';
import { store, useVersion } from '../../live/store.ts';
import type { Member } from '../../live/words.ts';
import { isFinal } from '../../live/words.ts';
import { Elapsed, Until } from '../../parts/Clock.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { iconOf } from '../../parts/icons.ts';
import { Status, toneOf } from '../../parts/Status.tsx';
import { modelOf } from '../stage/Card.tsx';

interface Node {
  m: Member;
  depth: number;
}

/** under lists the crew as a tree, superiors before those who report to them. */
export function under(crew: Member[], superior = 'user', depth = 0): Node[] {
  return crew
    .filter((m) => m.reports_to === superior)
    .flatMap((m) => [{ m, depth }, ...under(crew, m.name, depth + 1)]);
}

/** Who is alive: state, inbox, restarts, and what felled them last. */
export function ActorsPage() {
  const t = useT();
  useVersion('crew');
  useVersion('agents');
  const rows = under([...store.crew.values()]);
  const running = [...store.agents.values()].filter((a) => !isFinal(a.status));
  return (
    <main className="page stack" id="page">
      <section className="panel list">
        <header>
          <h2>{t.actors.crew}</h2>
          <span className="dim small">{t.actors.why}</span>
        </header>
        <div className="actor columns" aria-hidden>
          <span>{t.actors.name}</span>
          <span>{t.col.status}</span>
          <span>{t.inbox}</span>
          <span>{t.actors.restarts}</span>
          <span>{t.col.model}</span>
          <span>{t.actors.last}</span>
          <span>{t.actors.since}</span>
        </div>
        {rows.map(({ m, depth }) => {
          const Icon = iconOf(m.name);
          return (
            <div key={m.name} className="actor" data-tone={toneOf(m.state)}>
              <span className="with" style={{ paddingLeft: depth * 22 }}>
                <Icon size={15} aria-hidden />
                <b className="one">{m.title || m.name}</b>
              </span>
              <span className="with">
                <Status s={m.state} />
                {m.rises_at && (
                  <span className="tag" title={t.actors.rises}>
                    <span className="sr">{t.actors.rises} </span>
                    <Until to={m.rises_at} />
                  </span>
                )}
              </span>
              <span className="num">
                <span className="sr">{t.inbox} </span>
                {m.inbox_depth}
              </span>
              <span className="num">
                <span className="sr">{t.actors.restarts} </span>
                {m.restarts}
              </span>
              <span className="one dim">{modelOf(m)}</span>
              <span className="one">
                {m.task_id && m.state === 'working' ? (
                  <Link className="link mono" to="/tasks/$id" params={{ id: m.task_id }} data-item>
                    {m.task_id}
                  </Link>
                ) : (
                  <span className="dim">{m.last_error}</span>
                )}
              </span>
              <span className="faint small">
                <Elapsed from={m.since} />
                {m.pid ? <span className="mono"> · {m.pid}</span> : null}
              </span>
            </div>
          );
        })}
        {rows.length === 0 && <Empty icon={Boxes} title={t.actors.nobody} />}
      </section>
      <section className="panel list">
        <header>
          <h2>{t.actors.agents}</h2>
          <span className="num dim">{running.length}</span>
        </header>
        {running.slice(0, 200).map((a) => (
          <Link
            key={a.agentId}
            to="/agents/$id"
            params={{ id: a.agentId }}
            className="actor"
            data-tone={toneOf(a.status)}
            data-item
            data-peek={a.agentId}
          >
            <span className="mono one">{a.agentId}</span>
            <Status s={a.status} />
            <span />
            <span />
            <span className="one dim">{modelOf(a)}</span>
            <span className="one">{a.run.lastAssistantMessage || a.waiting}</span>
            <span className="faint small">
              <Elapsed from={a.startedAt} to={a.endedAt} />
            </span>
          </Link>
        ))}
        {running.length === 0 && <p className="check dim">{t.actors.noAgents}</p>}
      </section>
    </main>
  );
}
