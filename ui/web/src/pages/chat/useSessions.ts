import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { hearers } from '../../live/reduce.ts';
import { listSessions, type Session } from './wire.ts';

const key = ['sessions'];

/** What the sidebar lists, the newest activity first; and how to read it again, or to change one entry of it. */
export function useSessions() {
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => listSessions(signal),
    refetchOnMount: 'always',
    retry: false,
  });
  const refresh = useCallback(
    () => queries.fetchQuery({ queryKey: key, queryFn: ({ signal }) => listSessions(signal), staleTime: 0 }),
    [queries],
  );
  const put = useCallback(
    (s: Session) =>
      queries.setQueryData<Session[]>(key, (old) => old?.map((x) => (x.id === s.id ? { ...x, ...s } : x))),
    [queries],
  );
  useEffect(() => {
    const hear = (e: { type: string }) => {
      if (e.type === 'chat:updated' || e.type === 'chat:deleted') void queries.invalidateQueries({ queryKey: key });
    };
    hearers.add(hear);
    return () => {
      hearers.delete(hear);
    };
  }, [queries]);
  return { sessions: data ? newestFirst(data) : undefined, error, refresh, put };
}

const newestFirst = (list: Session[]): Session[] =>
  [...list].sort((a, b) => (a.last_activity_at < b.last_activity_at ? 1 : -1));
