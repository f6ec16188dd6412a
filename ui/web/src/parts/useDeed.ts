import { useState } from 'react';

/** useDeed runs something once at a time and keeps what refused it. */
export function useDeed<A>(act: () => Promise<A>, done: (a: A) => void) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = () => {
    if (busy) return;
    setBusy(true);
    setError(null);
    act().then(
      (a) => {
        setBusy(false);
        done(a);
      },
      (e: unknown) => {
        setBusy(false);
        setError(e);
      },
    );
  };
  return { busy, error, run };
}
