import { useEffect } from 'react';
import { store, useLive } from '../../live/store.ts';

/** titleFor is what the browser's tab says while so many questions wait. */
export const titleFor = (waiting: number): string => (waiting > 0 ? `(${waiting}) Kurogo` : 'Kurogo');

/** useCount tells it in the title of the tab, where it is seen from other tabs too. */
export function useCount(): void {
  const waiting = useLive('approvals', () => store.approvals.length);
  useEffect(() => {
    document.title = titleFor(waiting);
  }, [waiting]);
}
