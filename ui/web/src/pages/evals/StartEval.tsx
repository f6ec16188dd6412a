import { useNavigate } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useT } from '../../i18n/index.ts';
import { post } from '../../live/rest.ts';
import { useDeed } from '../../parts/Act.tsx';
import { Box } from '../../parts/Box.tsx';
import { Fault } from '../../parts/Fault.tsx';
import type { Job } from '../runs/job.ts';
import { useWords } from './words.ts';

/** Has a document judged, pasted or by its path, and rewritten if that is wanted. */
export function StartEval({ onClose }: { onClose: () => void }) {
  const t = useT();
  const w = useWords();
  const navigate = useNavigate();
  const [from, setFrom] = useState<'pasted' | 'path'>('pasted');
  const [content, setContent] = useState('');
  const [path, setPath] = useState('');
  const [target, setTarget] = useState('');
  const [improve, setImprove] = useState(false);
  const [most, setMost] = useState('');
  const [write, setWrite] = useState(false);
  const { busy, error, run } = useDeed(
    () =>
      post<Job>('/evaluations', {
        ...(from === 'path' ? { document_path: path.trim() } : { content }),
        ...(target === '' ? {} : { target_score: Number(target) }),
        ...(improve ? { improve: true } : {}),
        ...(improve && most !== '' ? { max_iterations: Number(most) } : {}),
        ...(improve && write && from === 'path' ? { write: true } : {}),
      }),
    (job) => {
      onClose();
      void navigate({ to: '/evals/$id', params: { id: job.job_id } });
    },
  );
  const submit = (e: FormEvent) => {
    e.preventDefault();
    run();
  };
  const given = from === 'path' ? path.trim() : content.trim();
  return (
    <Box title={w.start} onClose={onClose}>
      <form onSubmit={submit}>
        <p className="dim">{w.why}</p>
        <fieldset className="seg" aria-label={w.source}>
          {(['pasted', 'path'] as const).map((k) => (
            <button key={k} type="button" className="btn" aria-pressed={from === k} onClick={() => setFrom(k)}>
              {w[k]}
            </button>
          ))}
        </fieldset>
        {from === 'pasted' ? (
          <label className="field">
            {w.document}
            <textarea
              className="input mono"
              rows={10}
              required
              value={content}
              onChange={(e) => setContent(e.target.value)}
            />
          </label>
        ) : (
          <label className="field">
            {w.pathField}
            <input
              className="input mono"
              required
              value={path}
              placeholder="docs/guide.md"
              onChange={(e) => setPath(e.target.value)}
            />
          </label>
        )}
        <label className="with">
          <input type="checkbox" checked={improve} onChange={(e) => setImprove(e.target.checked)} />
          {w.improve}
        </label>
        <div className="pair">
          <label className="field">
            {w.target}
            <input
              className="input num"
              type="number"
              min={0}
              max={10}
              step={0.1}
              value={target}
              placeholder={w.asConfigured}
              onChange={(e) => setTarget(e.target.value)}
            />
          </label>
          {improve && (
            <label className="field">
              {w.rounds}
              <input
                className="input num"
                type="number"
                min={1}
                max={100}
                value={most}
                placeholder={w.asConfigured}
                onChange={(e) => setMost(e.target.value)}
              />
            </label>
          )}
        </div>
        {improve && from === 'path' && (
          <label className="with">
            <input type="checkbox" checked={write} onChange={(e) => setWrite(e.target.checked)} />
            {w.write}
          </label>
        )}
        {error !== null && <Fault error={error} />}
        <div className="acts">
          <button type="button" className="btn" onClick={onClose}>
            {t.no}
          </button>
          <button type="submit" className="btn go" disabled={busy || given === ''}>
            <Play size={14} aria-hidden />
            {improve ? w.improveVerb : w.startVerb}
          </button>
        </div>
      </form>
    </Box>
  );
}
