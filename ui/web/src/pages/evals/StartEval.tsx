import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { post } from '../../live/rest.ts';
import { FormBox } from '../../parts/FormBox.tsx';
import type { Job } from '../runs/job.ts';
import { useWords } from './words.ts';

/** Has a document judged, pasted or by its path, and rewritten if that is wanted. */
export function StartEval({ onClose }: { onClose: () => void }) {
  const w = useWords();
  const navigate = useNavigate();
  const [from, setFrom] = useState<'pasted' | 'path'>('pasted');
  const [content, setContent] = useState('');
  const [path, setPath] = useState('');
  const [target, setTarget] = useState('');
  const [improve, setImprove] = useState(false);
  const [most, setMost] = useState('');
  const [write, setWrite] = useState(false);
  const given = from === 'path' ? path.trim() : content.trim();
  return (
    <FormBox
      title={w.start}
      verb={improve ? w.improveVerb : w.startVerb}
      ready={given !== ''}
      act={async () => {
        const job = await post<Job>('/evaluations', {
          ...(from === 'path' ? { document_path: path.trim() } : { content }),
          ...(target === '' ? {} : { target_score: Number(target) }),
          ...(improve ? { improve: true } : {}),
          ...(improve && most !== '' ? { max_iterations: Number(most) } : {}),
          ...(improve && write && from === 'path' ? { write: true } : {}),
        });
        void navigate({ to: '/evals/$id', params: { id: job.job_id } });
      }}
      onClose={onClose}
    >
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
    </FormBox>
  );
}
