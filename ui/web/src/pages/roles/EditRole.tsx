import { Check, RefreshCw, Save } from 'lucide-react';
import { useRef, useState } from 'react';
import { useT } from '../../i18n/index.ts';
import { line } from '../../live/line.ts';
import { store, useVersion } from '../../live/store.ts';
import type { Role } from '../../live/words.ts';
import { Diff } from '../../parts/Diff.tsx';
import { Fault } from '../../parts/Fault.tsx';
import { Status } from '../../parts/Status.tsx';
import { changesOf, type Draft, draftOf, modelsOf, verdictOf } from './draft.ts';
import { usePlan } from './usePlan.ts';
import { useWords } from './words.ts';

const other = '\u0000';

/** Edits a role where it stands. */
export function EditRole({ r, onClose }: { r: Role; onClose: (saved: boolean) => void }) {
  const t = useT();
  const w = useWords();
  useVersion('roles');
  const first = useRef(draftOf(r));
  const [d, set] = useState<Draft>(first.current);
  const [typing, setTyping] = useState(false);

  const all = [...store.roles.values()];
  const drivers = [...new Set(all.map((x) => x.driver).concat(d.driver))].sort();
  const models = modelsOf(all, d.driver);
  const verdict = verdictOf(models, d.model);
  const change = changesOf(first.current, d);
  const moved = JSON.stringify(draftOf(r)) !== JSON.stringify(first.current);

  const { plan, conflict, busy, error, run, submit, forget } = usePlan({ id: r.id, ...change }, () => onClose(true));
  const put = (next: Partial<Draft>) => {
    set((old) => ({ ...old, ...next }));
    forget();
  };

  return (
    <form className="stack edit" onSubmit={submit} aria-label={`${w.edit}: ${r.id}`}>
      {moved && <p className="notice">{w.elsewhere}</p>}
      <div className="pair">
        <label className="field">
          {w.name}
          <input className="input" value={d.name} onChange={(e) => put({ name: e.target.value })} />
        </label>
        <label className="field">
          {w.driver}
          <select className="input" value={d.driver} onChange={(e) => put({ driver: e.target.value })}>
            {drivers.map((x) => (
              <option key={x}>{x}</option>
            ))}
          </select>
        </label>
      </div>
      <div className="pair">
        <label className="field">
          {t.col.model}
          <select
            className="input"
            value={typing ? other : d.model}
            onChange={(e) => {
              setTyping(e.target.value === other);
              if (e.target.value !== other) put({ model: e.target.value });
            }}
          >
            <option value="">{w.own}</option>
            {[...new Set([...models, ...(d.model && !typing ? [d.model] : [])])].map((m) => (
              <option key={m} value={m}>
                {m}
              </option>
            ))}
            <option value={other}>{w.another}</option>
          </select>
        </label>
        {typing && (
          <label className="field">
            {w.whichModel}
            <input
              className="input mono"
              // biome-ignore lint/a11y/noAutofocus: it was asked for by the choice before it
              autoFocus
              value={d.model}
              onChange={(e) => put({ model: e.target.value })}
            />
          </label>
        )}
      </div>
      <p className="with small" role="status">
        <Status s={verdict} size={13} />
        <span className="dim">
          {verdict === 'invalid' ? w.notAmong(d.model) : verdict === 'unknown' ? w.cannotTell : ''}
        </span>
        <span className="sp" />
        <button
          type="button"
          className="btn small"
          disabled={busy}
          onClick={() => run(async () => void (await line.order('config:revalidate_model', { id: r.id })))}
        >
          <RefreshCw size={13} aria-hidden />
          {w.ask}
        </button>
      </p>
      <label className="field">
        {t.roles.prompt}
        <textarea
          className="input"
          rows={10}
          value={d.system_prompt}
          onChange={(e) => put({ system_prompt: e.target.value })}
        />
      </label>
      <label className="field">
        {t.roles.healthPrompt}
        <textarea
          className="input"
          rows={2}
          value={d.health_check_prompt}
          onChange={(e) => put({ health_check_prompt: e.target.value })}
        />
      </label>
      {conflict && (
        <p className="notice" role="alert">
          {w.conflict}
        </p>
      )}
      {plan &&
        (plan.diff ? (
          <>
            {plan.promptPath && <p className="dim">{w.promptFile(plan.promptPath)}</p>}
            <Diff text={plan.diff} label={`${w.diff}: ${plan.path}`} />
          </>
        ) : (
          <p className="dim">{w.same}</p>
        ))}
      {error !== null && <Fault error={error} />}
      <div className="row">
        <button type="button" className="btn" onClick={() => onClose(false)}>
          {t.no}
        </button>
        <span className="sp" />
        <button
          type="submit"
          className="btn go"
          disabled={busy || Object.keys(change).length === 0 || plan?.diff === ''}
        >
          {plan ? <Save size={14} aria-hidden /> : <Check size={14} aria-hidden />}
          {plan ? w.save : w.review}
        </button>
      </div>
    </form>
  );
}
