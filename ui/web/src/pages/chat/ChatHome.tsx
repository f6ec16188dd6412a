import { useNavigate } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useT } from '../../i18n/index.ts';
import { Fault } from '../../parts/Fault.tsx';
import { listSessions, openSession } from './wire.ts';
import { useWords } from './words.ts';

/** Goes on with the newest talk, or begins the first. */
export function ChatHome() {
  const t = useT();
  const w = useWords();
  const navigate = useNavigate();
  const [error, setError] = useState<{ what: 'noSessions' | 'noOpen'; why: unknown } | null>(null);
  const [tries, again] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: tries says that it is wanted once more
  useEffect(() => {
    const leaving = new AbortController();
    let what: 'noSessions' | 'noOpen' = 'noSessions';
    const go = async () => {
      const sessions = await listSessions(leaving.signal);
      what = 'noOpen';
      const first = sessions[0] ?? (leaving.signal.aborted ? undefined : await opened());
      if (first && !leaving.signal.aborted) {
        await navigate({ to: '/chat/$id', params: { id: first.id }, replace: true });
      }
    };
    setError(null);
    go().catch((why: unknown) => {
      if (!leaving.signal.aborted) setError({ what, why });
    });
    return () => leaving.abort();
  }, [tries, navigate]);
  return (
    <main className="page stack" id="page">
      {error ? (
        <>
          <h2>{w[error.what]}</h2>
          <Fault error={error.why} />
          <div className="row">
            <button type="button" className="btn" onClick={() => again((n) => n + 1)}>
              <RotateCw size={14} aria-hidden />
              {w.reload}
            </button>
          </div>
        </>
      ) : (
        <p className="dim">{t.loading}</p>
      )}
    </main>
  );
}

// A page that is mounted twice must not open two talks.
let opening: ReturnType<typeof openSession> | null = null;
const opened = () => {
  opening ??= openSession().finally(() => {
    opening = null;
  });
  return opening;
};
