import { useEffect, useState } from 'react';
import { store, useLive } from '../../live/store.ts';
import { kinds, Script, type Told } from './script.ts';

const past = 3_000; // events back that the page without a task begins at

/** useScript reads what was said from the journal, and goes on hearing. A task has its whole history. */
export function useScript(task: string | undefined): { script: Script; version: number } {
  const [state, set] = useState(() => ({ script: new Script(), version: 0 }));
  const epoch = useLive('loaded', () => store.epoch);
  useEffect(() => {
    if (epoch === '') return; // who we talk to is not known yet
    const script = new Script();
    set({ script, version: 0 });
    const query = new URLSearchParams({
      kinds: kinds.join(','),
      since: String(task ? 0 : Math.max(0, store.seq - past)),
    });
    if (task) query.set('task', task);
    const source = new EventSource(`/api/events?${query}`);
    let frame = 0;
    const show = () => {
      frame = 0;
      set((old) => ({ script, version: old.version + 1 }));
    };
    const hear = (e: MessageEvent<string>) => {
      if (store.paused || !script.add(JSON.parse(e.data) as Told)) return;
      frame ||= requestAnimationFrame(show);
    };
    for (const kind of kinds) source.addEventListener(kind, hear);
    return () => {
      source.close();
      cancelAnimationFrame(frame);
    };
  }, [task, epoch]);
  return state;
}
