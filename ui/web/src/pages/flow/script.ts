// What is said between the members of the crew, out of the events of the journal.
import type { CCMessage } from '../../live/words.ts';

/** An event as /api/events tells it. */
export interface Told {
  seq: number;
  at: string;
  kind: string;
  id: string;
  task_id?: string;
  root_id?: string;
  data: unknown;
}

/** What became of a message, the last word counting. */
export type Fate =
  | 'accepted'
  | 'delivered'
  | 'acked'
  | 'retried'
  | 'parked'
  | 'dead'
  | 'expired'
  | 'refused'
  | 'routed';

export interface Said {
  seq: number;
  m: CCMessage;
  fate: Fate;
  error?: string;
}

export interface Thought {
  seq: number;
  at: string;
  from: string;
  kind: 'thinking' | 'text' | 'tool';
  text: string;
  tool?: string;
}

export const kinds = [
  'message:accepted',
  'message:delivered',
  'message:acked',
  'message:retried',
  'message:parked',
  'message:dead',
  'message:expired',
  'message:refused',
  'message:routed',
  'persona:thinking',
  'persona:text',
  'persona:tool',
] as const;

export const classes = ['request', 'answer', 'note', 'trouble'] as const;
export type Class = (typeof classes)[number];

export function classOf(s: Said): Class {
  if (s.fate === 'refused' || s.fate === 'dead' || s.fate === 'expired') return 'trouble';
  switch (s.m.type) {
    case 'task_request':
      return 'request';
    case 'task_complete':
    case 'task_failed':
    case 'task_response':
      return 'answer';
    case 'error':
      return 'trouble';
  }
  return 'note';
}

const most = 4_000; // of each that a page keeps

/** A script is what was said so far. Events may come twice; they count once. */
export class Script {
  said: Said[] = [];
  thoughts: Thought[] = [];
  private byId = new Map<string, Said>();
  private seq = 0;

  add(e: Told): boolean {
    if (e.seq <= this.seq) return false;
    this.seq = e.seq;
    const [family, verb] = e.kind.split(':') as [string, string];
    if (family === 'persona') {
      const u = e.data as { from_agent: string; text: string; tool?: string };
      this.thoughts.push({
        seq: e.seq,
        at: e.at,
        from: u.from_agent,
        kind: verb as Thought['kind'],
        text: u.text,
        ...(u.tool ? { tool: u.tool } : {}),
      });
      if (this.thoughts.length > most) this.thoughts = this.thoughts.slice(-most / 2);
      return true;
    }
    if (verb === 'accepted' || verb === 'routed') this.put({ seq: e.seq, m: e.data as CCMessage, fate: verb });
    else if (verb === 'refused') this.refused(e);
    else this.met(e, verb as Fate);
    return true;
  }

  private put(s: Said): void {
    this.byId.set(s.m.id, s);
    this.said.push(s);
    if (this.said.length <= most) return;
    for (const old of this.said.slice(0, most / 2)) this.byId.delete(old.m.id);
    this.said = this.said.slice(-most / 2);
  }

  private refused(e: Told): void {
    const r = e.data as { from_agent: string; to_agent: string; type: string; error: string };
    this.put({
      seq: e.seq,
      fate: 'refused',
      error: r.error,
      m: {
        id: e.id,
        from_agent: r.from_agent,
        to_agent: r.to_agent,
        type: r.type,
        content: r.error,
        metadata: { timestamp: e.at, priority: 'normal', retry_count: 0 },
        timestamp: e.at,
      },
    });
  }

  private met(e: Told, fate: Fate): void {
    const d = e.data as { message_id: string; error?: string };
    const s = this.byId.get(d.message_id);
    if (!s) return;
    s.fate = fate;
    if (d.error) s.error = d.error;
  }
}

/** The lane of an address: agents of groups share one. */
export const laneOf = (address: string): string =>
  address.startsWith('agent:') || address.startsWith('group:') ? 'agents' : address;

/** The lanes that a page has: the person, the crew from the top, and whoever else has spoken. */
export function lanesOf(crew: string[], said: Said[]): string[] {
  const lanes = ['user', ...crew];
  const known = new Set(lanes);
  for (const s of said) {
    for (const a of [laneOf(s.m.from_agent), laneOf(s.m.to_agent)]) {
      if (!known.has(a)) {
        known.add(a);
        lanes.push(a);
      }
    }
  }
  return lanes;
}
