import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { get } from '../../live/rest.ts';
import { type Job, type Jobs, listMark, type Ware } from './job.ts';
import { useFresh } from './useFresh.ts';

const page = 100;

/** useJobs is the jobs of a kind, the newest first, as far as somebody has turned the pages. */
export function useJobs(ware: Ware, status: string | undefined) {
  const key = ['jobs', ware, status ?? ''];
  useFresh(key, listMark[ware]);
  const query = useInfiniteQuery({
    queryKey: key,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const said = new URLSearchParams({ limit: String(page) });
      if (status) said.set('status', status);
      if (pageParam) said.set('before', pageParam);
      return get<Jobs>(`/${ware}?${said}`, signal);
    },
    getNextPageParam: (last) => (last.jobs.length === page ? last.jobs.at(-1)?.job_id : undefined),
    placeholderData: (old) => old,
  });
  const { data } = query;
  const jobs = useMemo<Job[]>(() => data?.pages.flatMap((p) => p.jobs) ?? [], [data]);
  return { ...query, jobs, total: data?.pages[0]?.total ?? 0 };
}
