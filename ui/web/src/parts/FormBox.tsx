import { Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { useT } from '../i18n/index.ts';
import { Box } from './Box.tsx';
import { CopyCommand } from './Copy.tsx';
import { Fault } from './Fault.tsx';
import { useDeed } from './useDeed.ts';

/** A box that asks before something is done: it closes when that is done, and shows why it was refused. */
export function FormBox({
  title,
  verb,
  ready = true,
  grave = false,
  command,
  act,
  onClose,
  children,
}: {
  title: string;
  verb: string;
  ready?: boolean;
  grave?: boolean; // cannot be taken back
  command?: string; // does the same from a terminal
  act: () => Promise<unknown>;
  onClose: () => void;
  children?: ReactNode;
}) {
  const t = useT();
  const { busy, error, run } = useDeed(act, onClose);
  return (
    <Box title={title} onClose={onClose}>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          run();
        }}
      >
        {children}
        {error !== null && <Fault error={error} />}
        <div className="acts">
          {command && (
            <>
              <CopyCommand text={command} />
              <span className="sp" />
            </>
          )}
          <button type="button" className="btn" onClick={onClose}>
            {t.no}
          </button>
          <button type="submit" className={grave ? 'btn danger sure' : 'btn go'} disabled={busy || !ready}>
            {!grave && <Play size={14} aria-hidden />}
            {verb}
          </button>
        </div>
      </form>
    </Box>
  );
}
