import { useQuery, useQueryClient } from '@tanstack/react-query';
import { get } from '../../live/rest.ts';
import type { JobEntry } from './job.ts';
import { useFresh } from './useFresh.ts';

interface Page {
  entries: JobEntry[];
  more: boolean;
}

/** useEntries is what has become true of a job. What is known stays; only what is behind it is read. */
export function useEntries(id: string) {
  const queries = useQueryClient();
  const key = ['entries', id];
  useFresh(key, `job:${id}`);
  return useQuery({
    queryKey: key,
    structuralSharing: false, // entries never change, and there may be thousands
    queryFn: async ({ signal }) => {
      const known = queries.getQueryData<JobEntry[]>(key) ?? [];
      const fresh: JobEntry[] = [];
      for (;;) {
        const after = (fresh.at(-1) ?? known.at(-1))?.seq ?? 0;
        const page = await get<Page>(`/jobs/${encodeURIComponent(id)}/entries?after=${after}`, signal);
        fresh.push(...page.entries);
        if (!page.more || page.entries.length === 0) break;
      }
      return fresh.length > 0 ? [...known, ...fresh] : known;
    },
  });
}
