import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { get } from '../../live/rest.ts';
import { useVersion } from '../../live/store.ts';
import type { AgentDetail } from '../../live/words.ts';

const pause = 400; // ms between two questions while an agent is at work

/**
 * useDetail asks for what does not travel with every event: the whole prompt, the
 * arguments of the process, the last uses of tools, the result. It asks again when
 * the agent has done something.
 */
export function useDetail(id: string) {
  const queries = useQueryClient();
  const version = useVersion(`agent:${id}`);
  useEffect(() => {
    if (version === 0) return;
    const timer = setTimeout(() => void queries.invalidateQueries({ queryKey: ['agent', id] }), pause);
    return () => clearTimeout(timer);
  }, [version, id, queries]);
  return useQuery({
    queryKey: ['agent', id],
    queryFn: ({ signal }) => get<AgentDetail>(`/history/${encodeURIComponent(id)}`, signal),
  });
}
