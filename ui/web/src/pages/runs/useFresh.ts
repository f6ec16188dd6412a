import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useVersion } from '../../live/store.ts';
import { paced } from './paced.ts';

const gap = 200; // ms between two readings

/**
 * useFresh has a query read again whenever a key of the store is marked, and when the
 * line is new. What was kept from an earlier visit is read again at once: while nobody
 * looked, nobody counted.
 */
export function useFresh(key: QueryKey, mark: string, on = true): void {
  const queries = useQueryClient();
  const news = `${useVersion(mark)} ${useVersion('loaded')}`;
  const text = JSON.stringify(key);
  const pace = useRef<ReturnType<typeof paced>>(undefined);
  const seen = useRef('');
  useEffect(() => {
    const p = paced(() => queries.invalidateQueries({ queryKey: JSON.parse(text) as QueryKey }), gap);
    pace.current = p;
    return p.stop;
  }, [queries, text]);
  useEffect(() => {
    const here = `${text} ${news}`;
    if (seen.current === here) return;
    const first = !seen.current.startsWith(`${text} `);
    seen.current = here;
    const kept = queries.getQueryState(JSON.parse(text) as QueryKey)?.dataUpdatedAt ?? 0;
    if (on && (!first || kept > 0)) pace.current?.tell();
  }, [news, text, on, queries]);
}
