import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { get } from '../../live/rest.ts';
import { useVersion } from '../../live/store.ts';
import type { LedgerRow } from '../../live/words.ts';

/** useLedger is what tasks have taken: those of one tree, or of all roots, each with all below it. */
export function useLedger(task: string | null, root?: string): Map<string, LedgerRow> {
  const queries = useQueryClient();
  const key = ['ledger', task];
  const changes = useVersion(root ? `tree:${root}` : 'tasks');
  // biome-ignore lint/correctness/useExhaustiveDependencies: changes says that something was settled
  useEffect(() => {
    const timer = setTimeout(() => void queries.invalidateQueries({ queryKey: key }), 300);
    return () => clearTimeout(timer);
  }, [changes, task, queries]);
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      get<{ rows: LedgerRow[] }>(`/ledger${task ? `?task=${encodeURIComponent(task)}` : ''}`, signal),
    select: (d) => new Map(d.rows.map((r) => [r.task_id, r])),
  });
  return data ?? none;
}

const none = new Map<string, LedgerRow>();
