import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useT } from '../../i18n/index.ts';
import { get } from '../../live/rest.ts';
import { useVersion } from '../../live/store.ts';
import type { CCMessage } from '../../live/words.ts';
import { Fault } from '../../parts/Fault.tsx';
import { Letter } from '../../parts/Letter.tsx';
import { useWords } from './words.ts';

interface Letters {
  messages: CCMessage[];
  next: number;
}

const most = 100;

/** What the agents of a group were told, and what they answered. */
export function Messages({ group }: { group: string }) {
  const t = useT();
  const w = useWords();
  const queries = useQueryClient();
  const agents = useVersion('agents');
  // biome-ignore lint/correctness/useExhaustiveDependencies: agents says that one has begun or ended
  useEffect(() => {
    const timer = setTimeout(() => void queries.invalidateQueries({ queryKey: ['letters', group] }), 300);
    return () => clearTimeout(timer);
  }, [agents, group, queries]);
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['letters', group],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      get<Letters>(`/messages?group=${encodeURIComponent(group)}&since=${pageParam}&limit=${most}`, signal),
    getNextPageParam: (last) => (last.messages.length === most ? last.next : undefined),
  });
  if (error) return <Fault error={error} />;
  if (!data) return <p className="dim">{t.loading}</p>;
  const all = data.pages.flatMap((p) => p.messages);
  if (all.length === 0) return <p className="dim">{w.none}</p>;
  return (
    <section className="panel">
      <ol className="in">
        {all.map((m) => (
          <Letter key={m.id} m={m} />
        ))}
      </ol>
      {hasNextPage && (
        <p className="in">
          <button type="button" className="btn" onClick={() => void fetchNextPage()}>
            {w.more}
          </button>
        </p>
      )}
    </section>
  );
}
