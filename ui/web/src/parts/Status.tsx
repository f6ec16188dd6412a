import {
  Ban,
  CheckCheck,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleHelp,
  CirclePause,
  CircleSlash,
  Hourglass,
  LoaderCircle,
  type LucideIcon,
  RotateCw,
  TimerOff,
  Unplug,
} from 'lucide-react';
import { useT, type Words } from '../i18n/index.ts';

export type Tone = 'queued' | 'running' | 'good' | 'reported' | 'bad' | 'warn';

type Face = readonly [LucideIcon, Tone];

// Every state that anything can be in: a colour, an icon and a word, never the colour alone.
const faces: Record<keyof Words['state'], Face> = {
  queued: [CircleDashed, 'queued'],
  running: [LoaderCircle, 'running'],
  completed: [CircleCheck, 'good'],
  result_reported: [CheckCheck, 'reported'],
  failed: [CircleAlert, 'bad'],
  timed_out: [TimerOff, 'warn'],
  cancelled: [Ban, 'queued'],
  lost: [Unplug, 'bad'],
  waiting: [Hourglass, 'warn'],
  idle: [CircleDashed, 'queued'],
  starting: [LoaderCircle, 'running'],
  ready: [CircleDot, 'good'],
  working: [LoaderCircle, 'running'],
  backoff: [RotateCw, 'warn'],
  stopped: [CirclePause, 'queued'],
  checking: [LoaderCircle, 'running'],
  passed: [CircleCheck, 'good'],
  skipped: [CircleSlash, 'queued'],
  valid: [CircleCheck, 'good'],
  invalid: [CircleAlert, 'bad'],
  unknown: [CircleHelp, 'queued'],
  success: [CircleCheck, 'good'],
  failure: [CircleAlert, 'bad'],
  timeout: [TimerOff, 'warn'],
  active: [CircleDot, 'good'],
  deleted: [CircleSlash, 'queued'],
};

export type State = keyof typeof faces;

const known = (s: string): State => (s in faces ? (s as State) : 'unknown');

export const toneOf = (s: string): Tone => faces[known(s)][1];

const moving = new Set<Tone>(['running']);

/** A state, as a person reads it. */
export function Status({ s, size = 14, still = false }: { s: string; size?: number; still?: boolean }) {
  const t = useT();
  const state = known(s);
  const [Icon, tone] = faces[state];
  const motion = still ? undefined : moving.has(tone) ? 'running' : state === 'queued' ? 'queued' : undefined;
  return (
    <span className="st" data-tone={tone} data-motion={motion}>
      <Icon size={size} aria-hidden />
      {t.state[state]}
    </span>
  );
}
