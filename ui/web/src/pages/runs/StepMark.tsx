import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleSlash,
  FlaskConical,
  LoaderCircle,
  type LucideIcon,
} from 'lucide-react';
import type { Step, StepState } from './trace.ts';
import { useWords } from './words.ts';

const icons: Record<StepState, [LucideIcon, string]> = {
  waiting: [CircleDashed, 'queued'],
  running: [LoaderCircle, 'running'],
  executed: [FlaskConical, 'running'],
  done: [CircleCheck, 'good'],
  failed: [CircleAlert, 'bad'],
  skipped: [CircleSlash, 'warn'],
};

export const toneOfStep = (s: StepState): string => icons[s][1];

/** How far a step is: a colour, an icon and a word. */
export function StepMark({ s }: { s: Step }) {
  const w = useWords();
  const [Icon, tone] = icons[s.state];
  return (
    <span className="st" data-tone={tone} data-motion={tone === 'running' ? 'running' : undefined}>
      <Icon size={14} aria-hidden />
      {w.states[s.state]}
      {s.attempt > 1 && <span className="num"> · {w.attempt(s.attempt)}</span>}
    </span>
  );
}
