import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { useMemo } from 'react';
import { useT } from '../../i18n/index.ts';
import { Moment } from '../../parts/Clock.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Fault } from '../../parts/Fault.tsx';
import { type Detail, listSessions, readSession } from '../chat/wire.ts';
import { found } from './talks.ts';
import { useWords } from './words.ts';

const newest = 30; // talks that are read; of the others the titles are known

/** Finds what was said. The house has no search for it: the page reads the newest talks itself. */
export function TalkHits({ query }: { query: string }) {
  const t = useT();
  const w = useWords();
  const list = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => listSessions(signal),
    retry: false,
  });
  const sessions = list.data ?? [];
  const details = useQueries({
    queries: sessions.slice(0, newest).map((s) => ({
      queryKey: ['session', s.id, s.last_activity_at],
      queryFn: ({ signal }: { signal: AbortSignal }) => readSession(s.id, undefined, signal),
      enabled: query !== '',
      staleTime: Number.POSITIVE_INFINITY, // what was said stays said; later talk has another key
      retry: false,
    })),
  });
  const read = details.flatMap((d) => (d.data ? [d.data] : []));
  const known = read.map((d) => `${d.id}${d.last_activity_at}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: known says what was read
  const hits = useMemo(
    () => found(query, sessions, new Map(read.map((d): [string, Detail] => [d.id, d]))),
    [query, list.data, known],
  );
  if (list.error) return <Fault error={list.error} />;
  if (!list.data) return <p className="dim">{t.loading}</p>;
  if (query === '') {
    return (
      <Empty icon={MessagesSquare} title={w.talk}>
        <p>{w.titles}</p>
      </Empty>
    );
  }
  return (
    <>
      <p className="dim small" role="status">
        {w.results(hits.length)} · {w.looked(read.length, sessions.length)}
      </p>
      {hits.length === 0 ? (
        <Empty icon={MessagesSquare} title={w.none} />
      ) : (
        <ol className="panel list" aria-label={w.results(hits.length)}>
          {hits.map((h) => (
            <li key={h.key} className="hit">
              <Link to="/chat/$id" params={{ id: h.session.id }} data-item>
                <span className="row">
                  <b className="one">{h.session.title ?? h.session.id}</b>
                  <span className="tag">{h.role === 'title' ? w.inTitle : h.role === 'user' ? w.you : 'Kurogo'}</span>
                  <span className="faint small">
                    <Moment at={h.session.last_activity_at} />
                  </span>
                </span>
                <span className="small">
                  {h.before}
                  {h.match && <mark>{h.match}</mark>}
                  {h.after}
                </span>
              </Link>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
