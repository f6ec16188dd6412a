import { useState } from 'react';
import { useT } from '../../i18n/index.ts';
import { post } from '../../live/rest.ts';
import { Box } from '../../parts/Box.tsx';
import { Fault } from '../../parts/Fault.tsx';
import { useDeed } from '../../parts/useDeed.ts';
import { useWords } from './words.ts';

interface Changed {
  files: { path: string; action: string }[];
}

/** Puts the files back as they were before a run; who changed one since is not overwritten unasked. */
export function UndoRun({ id, files, onClose }: { id: string; files: number; onClose: () => void }) {
  const t = useT();
  const w = useWords();
  const [force, setForce] = useState(false);
  const [done, setDone] = useState<Changed | null>(null);
  const { busy, error, run } = useDeed(
    () => post<Changed>(`/runs/${encodeURIComponent(id)}/undo`, force ? { force: true } : {}),
    setDone,
  );
  return (
    <Box title={w.undoSure} onClose={onClose}>
      <div className="in">
        {done ? (
          <>
            <p role="status">{w.undone(done.files.length)}</p>
            <ul>
              {done.files.map((f) => (
                <li key={f.path} className="with">
                  <span className="tag">{f.action}</span>
                  <code>{f.path}</code>
                </li>
              ))}
            </ul>
          </>
        ) : (
          <>
            <p className="dim">{w.undoWhy(files)}</p>
            <label className="with">
              <input type="checkbox" checked={force} onChange={(e) => setForce(e.target.checked)} />
              {w.force}
            </label>
          </>
        )}
        {error !== null && <Fault error={error} />}
        <div className="acts">
          <button type="button" className="btn" onClick={onClose}>
            {done ? t.close : t.no}
          </button>
          {!done && (
            <button type="button" className="btn danger sure" disabled={busy} onClick={run}>
              {w.undo}
            </button>
          )}
        </div>
      </div>
    </Box>
  );
}
