import type { Store } from './store.ts';
import type { Fault, Frame } from './words.ts';

/** What the socket needs from outside; a test hands in its own. */
export interface World {
  open(path: string): Wire;
  /** Whether we may come in: 200, 401, or a refusal of the network (0). */
  knock(): Promise<number>;
  random(): number;
}

/** The part of a WebSocket that is used. */
export interface Wire {
  send(text: string): void;
  close(): void;
  onmessage: ((m: { data: string }) => void) | null;
  onclose: (() => void) | null;
  readonly readyState: number;
}

export const PROTO = 1;

const firstWait = 500;
const longestWait = 15_000;
const openState = 1;

/** A refusal of the house, with what to do about it. */
export class Refused extends Error {
  constructor(readonly fault: Fault) {
    super(fault.message);
  }
}

/** A piece of a log; offset is of its first byte, next of what follows. */
export interface Piece {
  offset: number;
  next: number;
  text: string;
  ended?: boolean;
}

type Tail = (piece: Piece) => void;

interface Topic {
  offset: number; // of the next byte; below 0: so many before the end
  tail: Tail;
}

/** The one line to the house: it resumes where it was, and asks again for what it had asked for. */
export class Socket {
  private wire: Wire | null = null;
  private tries = 0;
  private heard = 0;
  private beat = 15_000;
  private serial = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private watchdog: ReturnType<typeof setInterval> | undefined;
  private calls = new Map<string, { yes: (data: unknown) => void; no: (e: Error) => void }>();
  private topics = new Map<string, Topic>();

  constructor(
    private readonly store: Store,
    private readonly world: World,
  ) {}

  /** start opens the line, and keeps it open. */
  async start(): Promise<void> {
    clearTimeout(this.retry);
    this.retry = undefined;
    this.store.connection({ retryAt: 0 });
    const status = await this.world.knock();
    if (status === 401) {
      this.store.connection({ state: 'stranger' });
      return;
    }
    if (status !== 200) {
      this.later();
      return;
    }
    const { epoch, cursor } = this.store;
    const query = epoch ? `?epoch=${encodeURIComponent(epoch)}&since=${cursor}` : '';
    const wire = this.world.open(`/ws${query}`);
    this.wire = wire;
    wire.onmessage = (m) => {
      if (this.wire === wire) this.take(JSON.parse(m.data) as Frame);
    };
    wire.onclose = () => {
      if (this.wire === wire) this.lost();
    };
  }

  /** hurry tries now instead of waiting: the network is back, or somebody looks. */
  hurry(): void {
    if (this.retry !== undefined) void this.start();
  }

  private take(f: Frame): void {
    this.heard = performance.now();
    switch (f.type) {
      case 'hello':
        if (f.proto !== PROTO) {
          this.store.connection({ state: 'outdated' });
          this.quit();
          return;
        }
        this.tries = 0;
        this.beat = f.heartbeatMs || this.beat;
        this.store.skew = millis(f.now) - Date.now();
        this.store.connection({ state: 'live', retryAt: 0, resumed: f.resumed });
        clearInterval(this.watchdog);
        this.watchdog = setInterval(() => this.look(), this.beat);
        for (const [topic, t] of this.topics) this.subscribe(topic, t.offset);
        return;
      case 'snapshot':
        return this.store.snapshot(f.seq, f.epoch, f.data);
      case 'batch':
        return this.store.batch(f.ev);
      case 'hb':
        this.store.skew = millis(f.now) - Date.now();
        return;
      case 'delta':
        return this.delta(f.topic, f);
      case 'ack':
        return this.answer(f.id, f);
    }
  }

  private delta(name: string, piece: Piece): void {
    const topic = this.topics.get(name);
    if (!topic || piece.offset < topic.offset) return; // said again after a reconnect
    topic.offset = piece.next;
    topic.tail(piece);
  }

  private answer(id: string, f: { ok: boolean; data?: unknown; error?: Fault }): void {
    const call = this.calls.get(id);
    if (!call) return;
    this.calls.delete(id);
    if (f.ok) call.yes(f.data);
    else call.no(new Refused(f.error ?? { code: 'internal', message: 'the house refused and did not say why' }));
  }

  // A line over which nothing comes, not even a heartbeat, is dead even if nobody closed it.
  private look(): void {
    if (performance.now() - this.heard > 2.5 * this.beat) this.wire?.close();
  }

  private quit(): void {
    clearInterval(this.watchdog);
    const wire = this.wire;
    this.wire = null;
    wire?.close();
  }

  private lost(): void {
    clearInterval(this.watchdog);
    this.wire = null;
    for (const { no } of this.calls.values()) {
      no(new Refused({ code: 'unavailable', message: 'the connection was lost before the answer came' }));
    }
    this.calls.clear();
    this.later();
  }

  private later(): void {
    const wait = Math.min(longestWait, firstWait * 2 ** this.tries++) * (0.5 + this.world.random() / 2);
    this.store.connection({ state: 'down', retryAt: Date.now() + wait });
    this.retry = setTimeout(() => void this.start(), wait);
  }

  /** call uses a tool of the catalogue, on this person's behalf. */
  call<T = unknown>(tool: string, input: object): Promise<T> {
    return this.ask<T>({ type: 'call', tool, input });
  }

  /** order says one of the document's orders, config:…, with its data. */
  order<T = unknown>(type: 'config:update_role' | 'config:revalidate_model', data: object): Promise<T> {
    return this.ask<T>({ type, data });
  }

  private ask<T>(what: object): Promise<T> {
    const wire = this.wire;
    if (!wire || wire.readyState !== openState) {
      return Promise.reject(new Refused({ code: 'unavailable', message: 'there is no connection now' }));
    }
    const id = `c${++this.serial}`;
    return new Promise<T>((yes, no) => {
      this.calls.set(id, { yes: yes as (data: unknown) => void, no });
      wire.send(JSON.stringify({ id, ...what }));
    });
  }

  /** follow hears what is appended to a topic from offset on, until the answer is called. */
  follow(name: string, offset: number, tail: Tail): () => void {
    const topic: Topic = { offset, tail };
    this.topics.set(name, topic);
    this.subscribe(name, offset);
    return () => {
      if (this.topics.get(name) !== topic) return;
      this.topics.delete(name);
      this.say({ type: 'unsub', id: `u${++this.serial}`, topics: [name] });
    };
  }

  private subscribe(topic: string, offset: number): void {
    this.say({ type: 'sub', id: `s${++this.serial}`, topics: [topic], offset });
  }

  private say(what: object): void {
    if (this.wire?.readyState === openState) this.wire.send(JSON.stringify(what));
  }
}

const millis = (t: number | string): number => (typeof t === 'number' ? t : Date.parse(t));
