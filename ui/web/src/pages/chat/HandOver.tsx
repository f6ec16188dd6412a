import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { post } from '../../live/rest.ts';
import { Box } from '../../parts/Box.tsx';
import { Fault } from '../../parts/Fault.tsx';
import { useDeed } from '../../parts/useDeed.ts';
import { brief } from './brief.ts';
import type { Line } from './talk.ts';
import { useWords } from './words.ts';

/** Hands a talk to the crew as a task: what is to be done, and the end of what was said. */
export function HandOver({ lines, onClose }: { lines: Line[]; onClose: () => void }) {
  const w = useWords();
  const navigate = useNavigate();
  const id = useId();
  const [what, setWhat] = useState(w.doIt);
  const content = brief(what.trim() || w.doIt, w.talkSoFar, lines);
  const { busy, error, run } = useDeed(
    () => post<{ taskId: string }>('/tasks', { content }),
    ({ taskId }) => {
      onClose();
      void navigate({ to: '/tasks/$id', params: { id: taskId } });
    },
  );
  return (
    <Box title={w.crew} onClose={onClose}>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          run();
        }}
      >
        <label className="field" htmlFor={id}>
          {w.crewWhat}
          <textarea id={id} className="input" rows={3} value={what} onChange={(e) => setWhat(e.target.value)} />
        </label>
        <p className="dim small">
          {w.crewWhy} <span className="num faint">{w.chars([...content].length)}</span>
        </p>
        {error !== null && <Fault error={error} />}
        <div className="acts">
          <button type="submit" className="btn go" disabled={busy}>
            {w.give}
          </button>
        </div>
      </form>
    </Box>
  );
}
