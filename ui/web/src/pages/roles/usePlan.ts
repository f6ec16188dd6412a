import { type FormEvent, useState } from 'react';
import { line } from '../../live/line.ts';
import { Refused } from '../../live/socket.ts';

interface Plan {
  path: string;
  base: string;
  diff: string;
  promptPath?: string;
}

/**
 * usePlan changes a role in its file. First comes what would change there, then the
 * saving on exactly that file: if it is another by then, nothing is written and what
 * would change is shown anew.
 */
export function usePlan(change: object, done: () => void) {
  const [plan, setPlan] = useState<Plan | null>(null);
  const [conflict, setConflict] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const order = (more: object) => line.order<Plan>('config:update_role', { ...change, ...more });
  const look = async () => setPlan(await order({ dry_run: true }));
  const save = async () => {
    try {
      await order({ base: plan?.base ?? '' });
      done();
    } catch (e) {
      if (!(e instanceof Refused) || e.fault.code !== 'conflict') throw e;
      setConflict(true);
      await look();
    }
  };
  const run = (deed: () => Promise<void>) => {
    if (busy) return;
    setBusy(true);
    setError(null);
    deed()
      .catch(setError)
      .finally(() => setBusy(false));
  };
  const submit = (e: FormEvent) => {
    e.preventDefault();
    run(plan ? save : look);
  };
  return { plan, conflict, busy, error, run, submit, forget: () => setPlan(null) };
}
