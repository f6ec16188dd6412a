import { Copy, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { dictionary, useT } from '../../i18n/index.ts';
import type { Role } from '../../live/words.ts';
import { Box } from '../../parts/Box.tsx';
import { Diff } from '../../parts/Diff.tsx';
import { Fault } from '../../parts/Fault.tsx';
import { usePlan } from './usePlan.ts';
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

// As with an edit, what would change in the file is seen first.
function Change({ r, kind, onClose }: { r: Role; kind: 'copy' | 'delete'; onClose: () => void }) {
  const t = useT();
  const w = useWords();
  const o = useOwn();
  const idField = useId();
  const nameField = useId();
  const [id, setId] = useState(`${r.id}-2`);
  const [name, setName] = useState(r.name);
  const { plan, conflict, busy, error, submit, forget } = usePlan(
    kind === 'delete' ? { id: r.id, delete: true } : { id: id.trim(), copy_of: r.id, name },
    onClose,
  );
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
                  forget();
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
                  forget();
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
            {t.no}
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
