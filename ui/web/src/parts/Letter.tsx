import { ArrowRight } from 'lucide-react';
import { useT } from '../i18n/index.ts';
import type { CCMessage } from '../live/words.ts';
import { Moment } from './Clock.tsx';

const tones: Record<string, string> = {
  task_request: 'running',
  task_response: 'accent',
  task_complete: 'good',
  task_failed: 'bad',
  error: 'bad',
  progress: 'warn',
  refused: 'bad',
};

export const toneOfType = (type: string): string => tones[type] ?? 'queued';

/** A message as a letter: who to whom, what kind, and what it says. */
export function Letter({ m, thinking = true }: { m: CCMessage; thinking?: boolean }) {
  const t = useT();
  const tone = toneOfType(m.type);
  return (
    <li className="letter" data-tone={tone}>
      <span className="faint small">
        <Moment at={m.timestamp} />
      </span>
      <div className="stack" style={{ gap: 4 }}>
        <span className="what">
          <b>{m.from_agent}</b>
          <ArrowRight size={13} aria-label={t.flow.to} />
          <b>{m.to_agent}</b>
          <span className="tag">{m.type}</span>
          {m.metadata.priority !== 'normal' && <span className="tag">{m.metadata.priority}</span>}
        </span>
        <p className="text">{m.content}</p>
        {thinking && m.thinking && (
          <div className="said thinking">
            <p className="text">{m.thinking}</p>
          </div>
        )}
      </div>
    </li>
  );
}
