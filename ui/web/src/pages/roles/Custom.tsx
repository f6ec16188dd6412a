import { Copy, Trash2 } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { dictionary } from '../../i18n/index.ts';
import { line } from '../../live/line.ts';
import { Refused } from '../../live/socket.ts';
import type { Role } from '../../live/words.ts';
import { Box } from '../../parts/Box.tsx';
import { Diff } from '../../parts/Diff.tsx';
import { Fault } from '../../parts/Fault.tsx';
import { useWords } from './words.ts';

const en = {
  copy: 'Copy as a new role',
  remove: 'Delete',
  id: 'Id of the new role',
  name: 'Name',
  copyWhy: 'It begins as this one is, and goes its own way from then on.',
  removeWhy: 'It is taken out of kurogo.toml. Agents that run go on; new ones are refused.',
};

const ja: typeof en = {
  copy: '複製して新しい職種を作る',
  remove: '削除',
  id: '新しい職種の ID',
  name: '名前',
  copyWhy: '今の内容から始まり、以後は独立して変更できます。',
  removeWhy: 'kurogo.toml から取り除きます。実行中のエージェントは続き、新しい実行は拒否されます。',
};

const useOwn = dictionary({ en, ja });

interface Plan {
  path: string;
  base: string;
  diff: string;
}

/** Makes a role of one's own out of another, and takes it away again. */
export function Custom({ r }: { r: Role }) {
  const o = useOwn();
  const [doing, set] = useState<'copy' | 'delete' | null>(null);
  return (
    <>
      <button type="button" className="btn" onClick={() => set('copy')}>
        <Copy size={14} aria-hidden />
        {o.copy}
      </button>
      <button type="button" className="btn danger" onClick={() => set('delete')}>
        <Trash2 size={14} aria-hidden />
        {o.remove}
      </button>
      {doing && <Change r={r} kind={doing} onClose={() => set(null)} />}
    </>
  );
}

// As with an edit, what would change in the file is seen first, and saved on exactly
// that file: if it is another by then, what would change is shown anew.
function Change({ r, kind, onClose }: { r: Role; kind: 'copy' | 'delete'; onClose: () => void }) {
  const w = useWords();
  const o = useOwn();
  const idField = useId();
  const nameField = useId();
  const [id, setId] = useState(`${r.id}-2`);
  const [name, setName] = useState(r.name);
  const [plan, setPlan] = useState<Plan | null>(null);
  const [busy, setBusy] = useState(false);
  const [conflict, setConflict] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const order = (more: object) =>
    line.order<Plan>(
      'config:update_role',
      kind === 'delete' ? { id: r.id, delete: true, ...more } : { id: id.trim(), copy_of: r.id, name, ...more },
    );
  const go = async () => {
    try {
      if (!plan) return setPlan(await order({ dry_run: true }));
      await order({ base: plan.base });
      onClose();
    } catch (e) {
      if (!plan || !(e instanceof Refused) || e.fault.code !== 'conflict') throw e;
      setConflict(true);
      setPlan(await order({ dry_run: true }));
    }
  };
  const submit = (e: FormEvent) => {
    e.preventDefault();
    if (busy) return;
    setBusy(true);
    setError(null);
    go()
      .catch(setError)
      .finally(() => setBusy(false));
  };
  return (
    <Box title={`${kind === 'copy' ? o.copy : o.remove}: ${r.id}`} onClose={onClose}>
      <form onSubmit={submit}>
        <p className="dim">{kind === 'copy' ? o.copyWhy : o.removeWhy}</p>
        {kind === 'copy' && (
          <div className="pair">
            <label className="field" htmlFor={idField}>
              {o.id}
              <input
                id={idField}
                className="input mono"
                value={id}
                onChange={(e) => {
                  setId(e.target.value);
                  setPlan(null);
                }}
              />
            </label>
            <label className="field" htmlFor={nameField}>
              {o.name}
              <input
                id={nameField}
                className="input"
                value={name}
                onChange={(e) => {
                  setName(e.target.value);
                  setPlan(null);
                }}
              />
            </label>
          </div>
        )}
        {conflict && (
          <p className="notice" role="alert">
            {w.conflict}
          </p>
        )}
        {plan && <Diff text={plan.diff} label={`${w.diff}: ${plan.path}`} />}
        {error !== null && <Fault error={error} />}
        <div className="acts">
          <button type="button" className="btn" onClick={onClose}>
            {w.cancel}
          </button>
          <button
            type="submit"
            className={`btn ${kind === 'delete' && plan ? 'danger sure' : 'go'}`}
            disabled={busy || (kind === 'copy' && !id.trim())}
          >
            {plan ? w.save : w.review}
          </button>
        </div>
      </form>
    </Box>
  );
}
