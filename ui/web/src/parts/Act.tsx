import { type ReactNode, useState } from 'react';
import { useT } from '../i18n/index.ts';
import { Box } from './Box.tsx';
import { Fault } from './Fault.tsx';

/** A deed that cannot be taken back: it asks first, and shows why it was refused. */
export function Confirm({
  title,
  verb,
  children,
  act,
  onClose,
}: {
  title: string;
  verb: string;
  children?: ReactNode;
  act: () => Promise<unknown>;
  onClose: () => void;
}) {
  const t = useT();
  const { busy, error, run } = useDeed(act, onClose);
  return (
    <Box title={title} onClose={onClose}>
      <div className="in">
        {children}
        {error !== null && <Fault error={error} />}
        <div className="acts">
          <button type="button" className="btn" onClick={onClose}>
            {t.no}
          </button>
          <button type="button" className="btn danger sure" disabled={busy} onClick={run}>
            {verb}
          </button>
        </div>
      </div>
    </Box>
  );
}

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
