import { useCallback, useSyncExternalStore } from 'react';
import { reduce } from './reduce.ts';
import {
  type Agent,
  type Approval,
  type Event,
  type Group,
  isFinal,
  isTaskFinal,
  type Member,
  type Role,
  type Snapshot,
  type Status,
  type Task,
} from './words.ts';

type Listener = () => void;

/** How the line to the house is. */
export interface Connection {
  state: 'connecting' | 'live' | 'down' | 'stranger' | 'outdated';
  retryAt: number; // ms of this machine's clock; 0 = not waiting
  resumed: boolean;
}

/**
 * What is known of the house: one map a kind, replaced values, and keys that
 * components listen to. Events are applied at once, so that a hidden tab stays
 * right; listeners are told once a frame, however much has come.
 */
export class Store {
  agents = new Map<string, Agent>();
  groups = new Map<string, Group>();
  roles = new Map<string, Role>();
  crew = new Map<string, Member>();
  tasks = new Map<string, Task>();
  approvals: Approval[] = [];
  status: Status | null = null;
  conn: Connection = { state: 'connecting', retryAt: 0, resumed: false };

  epoch = '';
  seq = 0;
  skew = 0; // of the server's clock against ours, in ms
  loaded = false; // a snapshot has been seen
  held = 0; // events that wait because somebody paused
  /** When an agent's status last changed before our eyes: motion is for news, not for mounting. */
  changed = new Map<string, number>();
  /** What ended since somebody last asked, for the announcer. */
  ended = { well: 0, ill: 0 };

  private waiting: Event[] | null = null;
  private listeners = new Map<string, Set<Listener>>();
  private dirty = new Set<string>();
  private versions = new Map<string, number>();
  private scheduled = false;

  constructor(private readonly schedule: (f: () => void) => void = nextFrame) {}

  /** listen is stable per key as long as the caller keeps it. */
  listen(key: string, f: Listener): () => void {
    let set = this.listeners.get(key);
    if (!set) {
      set = new Set();
      this.listeners.set(key, set);
    }
    set.add(f);
    return () => {
      set.delete(f);
      if (set.size === 0 && this.listeners.get(key) === set) this.listeners.delete(key);
    };
  }

  version(key: string): number {
    return this.versions.get(key) ?? 0;
  }

  mark(key: string): void {
    // Of one thing among thousands nothing is kept when nobody looks: whoever comes later reads it anew.
    if (key.includes(':') && !this.listeners.has(key)) {
      this.versions.delete(key);
      return;
    }
    this.dirty.add(key);
    this.versions.set(key, this.version(key) + 1);
    if (this.scheduled) return;
    this.scheduled = true;
    this.schedule(() => this.flush());
  }

  private flush(): void {
    this.scheduled = false;
    const dirty = this.dirty;
    this.dirty = new Set();
    for (const key of dirty) {
      for (const f of this.listeners.get(key) ?? []) f();
    }
  }

  /** snapshot replaces everything. */
  snapshot(seq: number, epoch: string, data: Snapshot): void {
    const keys = ['agents', 'groups', 'roles', 'crew', 'tasks', 'approvals', 'status', 'loaded'];
    for (const id of this.agents.keys()) keys.push(`agent:${id}`);
    for (const id of this.tasks.keys()) keys.push(`task:${id}`);
    this.agents = byKey(data.agents, (a) => a.agentId);
    this.groups = byKey(data.groups, (g) => g.groupId);
    this.roles = byKey(data.roles, (r) => r.id);
    this.crew = byKey(data.crew, (m) => m.name);
    this.tasks = byKey(data.tasks, (t) => t.id);
    this.approvals = data.approvals ?? [];
    this.status = data.status ?? null;
    this.seq = seq;
    this.epoch = epoch;
    this.loaded = true;
    this.changed.clear();
    if (this.waiting) this.waiting = [];
    this.held = 0;
    keys.push('held');
    for (const id of this.agents.keys()) keys.push(`agent:${id}`);
    for (const id of this.tasks.keys()) keys.push(`task:${id}`);
    for (const key of new Set(keys)) this.mark(key);
  }

  /** batch applies what has happened. Sequence numbers have gaps; going back they never are news. */
  batch(events: Event[]): void {
    if (this.waiting) {
      this.waiting.push(...events);
      this.held = this.waiting.length;
      this.mark('held');
      return;
    }
    for (const e of events) {
      if (e.seq <= this.seq) continue;
      this.seq = e.seq;
      reduce(this, e);
    }
    this.trim();
  }

  /** cursor is the last event that has come, shown or held. */
  get cursor(): number {
    return this.waiting?.at(-1)?.seq ?? this.seq;
  }

  get paused(): boolean {
    return this.waiting !== null;
  }

  /** pause holds the picture still; what comes is kept and shown on resume. */
  pause(): void {
    this.waiting ??= [];
    this.mark('held');
  }

  resume(): void {
    const events = this.waiting ?? [];
    this.waiting = null;
    this.held = 0;
    this.mark('held');
    this.batch(events);
  }

  /**
   * trim forgets the oldest of what has ended when there is too much of it. A page
   * that stays open for days holds no more than one that was just opened; the rest
   * is in the history.
   */
  trim(): void {
    if (this.agents.size > mostAgents) {
      drop(
        this.agents,
        keptAgents,
        (a) => isFinal(a.status),
        (id) => this.changed.delete(id),
      );
      this.mark('agents');
    }
    if (this.tasks.size > mostTasks) {
      drop(this.tasks, keptTasks, (t) => isTaskFinal(t.status));
      this.mark('tasks');
    }
  }

  connection(next: Partial<Connection>): void {
    this.conn = { ...this.conn, ...next };
    this.mark('conn');
  }

  /** now is the house's time. */
  now(): number {
    return Date.now() + this.skew;
  }
}

// Twice as many as a snapshot holds, and what is left when there were more.
const mostAgents = 2_000;
const keptAgents = 1_500;
const mostTasks = 2_000;
const keptTasks = 1_500;

function drop<T>(all: Map<string, T>, keep: number, over: (t: T) => boolean, gone?: (id: string) => void): void {
  for (const [id, x] of all) {
    if (all.size <= keep) return;
    if (!over(x)) continue;
    all.delete(id);
    gone?.(id);
  }
}

function byKey<T>(list: T[] | null | undefined, key: (t: T) => string): Map<string, T> {
  return new Map((list ?? []).map((t) => [key(t), t]));
}

// A hidden tab draws no frames; its listeners are told by a timer instead.
function nextFrame(f: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(f, 250);
  else requestAnimationFrame(f);
}

export const store = new Store();

/** useLive reads from the store and reads again when the key is marked. */
export function useLive<T>(key: string, read: () => T): T {
  const listen = useCallback((f: Listener) => store.listen(key, f), [key]);
  return useSyncExternalStore(listen, read);
}

/** useVersion changes whenever the key is marked. */
export const useVersion = (key: string): number => useLive(key, () => store.version(key));
