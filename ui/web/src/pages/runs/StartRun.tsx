import { useNavigate } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useT } from '../../i18n/index.ts';
import { post } from '../../live/rest.ts';
import { useDeed } from '../../parts/Act.tsx';
import { Box } from '../../parts/Box.tsx';
import { CopyCommand, quote } from '../../parts/Copy.tsx';
import { Fault } from '../../parts/Fault.tsx';
import type { Job } from './job.ts';
import { useWords } from './words.ts';

/** Has a task planned and carried out. */
export function StartRun({ onClose }: { onClose: () => void }) {
  const t = useT();
  const w = useWords();
  const navigate = useNavigate();
  const [task, setTask] = useState('');
  const [root, setRoot] = useState('');
  const [approve, setApprove] = useState('');
  const [dryRun, setDryRun] = useState(false);
  const [replan, setReplan] = useState(false);
  const { busy, error, run } = useDeed(
    () =>
      post<Job>('/runs', {
        task: task.trim(),
        ...(root.trim() ? { root: root.trim() } : {}),
        ...(approve ? { approve } : {}),
        ...(dryRun ? { dry_run: true } : {}),
        ...(replan ? { replan: true } : {}),
      }),
    (job) => {
      onClose();
      void navigate({ to: '/runs/$id', params: { id: job.job_id } });
    },
  );
  const submit = (e: FormEvent) => {
    e.preventDefault();
    run();
  };
  const flags = [
    root.trim() && `--root ${quote(root.trim())}`,
    approve && `--approve ${approve}`,
    dryRun && '--dry-run',
    replan && '--replan',
  ].filter(Boolean);
  return (
    <Box title={w.start} onClose={onClose}>
      <form onSubmit={submit}>
        <p className="dim">{w.why}</p>
        <label className="field">
          {w.task}
          <textarea className="input" rows={5} required value={task} onChange={(e) => setTask(e.target.value)} />
        </label>
        <div className="pair">
          <label className="field">
            {w.root}
            <input
              className="input mono"
              value={root}
              placeholder={w.rootDefault}
              onChange={(e) => setRoot(e.target.value)}
            />
          </label>
          <label className="field">
            {w.approve}
            <select className="input" value={approve} onChange={(e) => setApprove(e.target.value)}>
              <option value="">{w.approveDefault}</option>
              <option value="ask">{w.approveAsk}</option>
              <option value="auto">{w.approveAuto}</option>
            </select>
          </label>
        </div>
        <label className="with">
          <input type="checkbox" checked={dryRun} onChange={(e) => setDryRun(e.target.checked)} />
          {w.dryRun}
        </label>
        <label className="with">
          <input type="checkbox" checked={replan} onChange={(e) => setReplan(e.target.checked)} />
          {w.replan}
        </label>
        {error !== null && <Fault error={error} />}
        <div className="acts">
          <CopyCommand text={`kurogo run --task ${quote(task.trim())}${flags.map((f) => ` ${f}`).join('')}`} />
          <span className="sp" />
          <button type="button" className="btn" onClick={onClose}>
            {t.no}
          </button>
          <button type="submit" className="btn go" disabled={busy || !task.trim()}>
            <Play size={14} aria-hidden />
            {w.startVerb}
          </button>
        </div>
      </form>
    </Box>
  );
}
