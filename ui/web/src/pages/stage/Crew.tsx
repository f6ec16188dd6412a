import { Link } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import { useT } from '../../i18n/index.ts';
import { store, useLive, useVersion } from '../../live/store.ts';
import { Elapsed } from '../../parts/Clock.tsx';
import { iconOf } from '../../parts/icons.ts';
import { Status, toneOf } from '../../parts/Status.tsx';
import { modelOf } from './Card.tsx';

/** The personas: they belong to no group and are always there. */
export function Crew() {
  const t = useT();
  useVersion('crew');
  const crew = [...store.crew.values()];
  if (crew.length === 0) return null;
  return (
    <section className="crew" aria-label={t.stage.crew}>
      <header>
        <h2>{t.stage.crew}</h2>
        <span className="dim">{t.stage.crewWhy}</span>
        <span className="sp" />
        <Link to="/flow" className="btn small">
          {t.stage.watchFlow}
        </Link>
      </header>
      <ul>
        {crew.map((m) => (
          <li key={m.name}>
            <Person name={m.name} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Person({ name }: { name: string }) {
  const t = useT();
  const m = useLive('crew', () => store.crew.get(name));
  if (!m) return null;
  const Icon = iconOf(m.name);
  const task = m.task_id;
  const body = (
    <>
      <span className="with">
        <Icon size={15} aria-hidden />
        <b className="one" title={m.name}>
          {m.title || m.name}
        </b>
      </span>
      <Status s={m.state} />
      <span className="with faint small">
        <span className="one">{modelOf(m)}</span>
        <span className="sp" />
        {m.inbox_depth > 0 && (
          <span className="with num" title={t.inbox}>
            <Inbox size={12} aria-hidden />
            <span className="sr">{t.inbox}</span>
            {m.inbox_depth}
          </span>
        )}
        {m.state === 'working' && <Elapsed from={m.since} />}
      </span>
    </>
  );
  const tone = toneOf(m.state);
  return task ? (
    <Link to="/tasks/$id" params={{ id: task }} className="person card" data-tone={tone} data-item>
      {body}
    </Link>
  ) : (
    <div className="person card" data-tone={tone}>
      {body}
    </div>
  );
}
