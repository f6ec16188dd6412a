import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { post } from '../../live/rest.ts';
import { quote } from '../../parts/Copy.tsx';
import { FormBox } from '../../parts/FormBox.tsx';
import type { Job } from './job.ts';
import { useWords } from './words.ts';

/** Has a task planned and carried out. */
export function StartRun({ onClose }: { onClose: () => void }) {
  const w = useWords();
  const navigate = useNavigate();
  const [task, setTask] = useState('');
  const [root, setRoot] = useState('');
  const [approve, setApprove] = useState('');
  const [dryRun, setDryRun] = useState(false);
  const [replan, setReplan] = useState(false);
  const flags = [
    root.trim() && `--root ${quote(root.trim())}`,
    approve && `--approve ${approve}`,
    dryRun && '--dry-run',
    replan && '--replan',
  ].filter(Boolean);
  return (
    <FormBox
      title={w.start}
      verb={w.startVerb}
      ready={task.trim() !== ''}
      command={`kurogo run --task ${quote(task.trim())}${flags.map((f) => ` ${f}`).join('')}`}
      act={async () => {
        const job = await post<Job>('/runs', {
          task: task.trim(),
          ...(root.trim() ? { root: root.trim() } : {}),
          ...(approve ? { approve } : {}),
          ...(dryRun ? { dry_run: true } : {}),
          ...(replan ? { replan: true } : {}),
        });
        void navigate({ to: '/runs/$id', params: { id: job.job_id } });
      }}
      onClose={onClose}
    >
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
    </FormBox>
  );
}
