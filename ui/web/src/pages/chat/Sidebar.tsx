import { Link, useNavigate } from '@tanstack/react-router';
import { Plus, RotateCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../i18n/index.ts';
import { Moment } from '../../parts/Clock.tsx';
import { Fault } from '../../parts/Fault.tsx';
import { FormBox } from '../../parts/FormBox.tsx';
import { useDeed } from '../../parts/useDeed.ts';
import type { useSessions } from './useSessions.ts';
import { dropSession, openSession, type Session } from './wire.ts';
import { useWords } from './words.ts';

/** The talks, the newest activity first. */
export function Sidebar({
  chosen,
  all: { sessions, error, refresh },
  onChoose,
}: {
  chosen: string;
  all: ReturnType<typeof useSessions>;
  onChoose: () => void;
}) {
  const t = useT();
  const w = useWords();
  const navigate = useNavigate();
  const [dropping, drop] = useState<Session | null>(null);
  const fresh = useDeed(openSession, (s) => {
    void refresh().catch(() => {}); // the list says so itself
    onChoose();
    void navigate({ to: '/chat/$id', params: { id: s.id } });
  });
  return (
    <nav className="talks" aria-label={w.sessions}>
      <header>
        <h2>{w.sessions}</h2>
        <span className="sp" />
        <button type="button" className="btn small" disabled={fresh.busy} onClick={fresh.run}>
          <Plus size={13} aria-hidden />
          {w.fresh}
        </button>
      </header>
      {fresh.error !== null && <Fault error={fresh.error} />}
      {error && (
        <div className="fault" role="alert">
          <div className="stack" style={{ gap: 6 }}>
            <b>{w.noSessions}</b>
            <p className="text">{error.message}</p>
            <button type="button" className="btn small" onClick={() => void refresh().catch(() => {})}>
              <RotateCw size={12} aria-hidden />
              {w.reload}
            </button>
          </div>
        </div>
      )}
      {!sessions && !error && <p className="dim">{t.loading}</p>}
      <ul>
        {sessions?.map((s) => (
          <li key={s.id} aria-current={s.id === chosen ? 'true' : undefined}>
            <Link
              to="/chat/$id"
              params={{ id: s.id }}
              data-item
              aria-current={s.id === chosen ? 'page' : undefined}
              onClick={onChoose}
            >
              <span className="one">{s.title ?? w.untitled}</span>
              <span className="faint small">
                <Moment at={s.last_activity_at} />
              </span>
            </Link>
            <button
              type="button"
              className="btn quiet small icon"
              aria-label={`${w.drop}: ${s.title ?? w.untitled}`}
              title={w.drop}
              onClick={() => drop(s)}
            >
              <Trash2 size={13} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      {dropping && (
        <FormBox
          grave
          title={w.dropSure(dropping.title ?? w.untitled)}
          verb={w.drop}
          act={() => dropSession(dropping.id)}
          onClose={() => {
            drop(null);
            void refresh()
              .then((left) => {
                const gone = !left.some((s) => s.id === dropping.id);
                if (gone && dropping.id === chosen) void navigate({ to: '/chat', replace: true });
              })
              .catch(() => {});
          }}
        >
          <p className="dim">{w.dropWhy}</p>
        </FormBox>
      )}
    </nav>
  );
}
