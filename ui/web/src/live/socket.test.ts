import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Refused, Socket, type Wire } from './socket.ts';
import { Store } from './store.ts';

// A wire whose other end is held by the test.
class Fake implements Wire {
  onmessage: Wire['onmessage'] = null;
  onclose: Wire['onclose'] = null;
  readyState = 1;
  sent: { type: string; id: string; [k: string]: unknown }[] = [];
  constructor(readonly path: string) {}
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
    this.onclose?.();
  }
  hear(frame: object) {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
}

let wires: Fake[];
let answer: number;
let store: Store;
let socket: Socket;

const hello = (more: object = {}) => ({
  type: 'hello',
  proto: 1,
  epoch: 'e1',
  resumed: false,
  heartbeatMs: 1000,
  now: Date.now(),
  server: { version: 'v', rehearsal: true },
  ...more,
});
const last = () => {
  const wire = wires.at(-1);
  if (!wire) throw new Error('nobody has opened a wire');
  return wire;
};

beforeEach(() => {
  vi.useFakeTimers();
  wires = [];
  answer = 200;
  store = new Store((f) => f());
  socket = new Socket(store, {
    open: (path) => {
      const wire = new Fake(path);
      wires.push(wire);
      return wire;
    },
    knock: async () => answer,
    random: () => 1,
  });
});
afterEach(() => vi.useRealTimers());

it('asks for everything first, and for what is new when it comes back', async () => {
  await socket.start();
  expect(last().path).toBe('/ws');
  last().hear(hello());
  last().hear({ type: 'snapshot', seq: 7, epoch: 'e1', data: {} });
  last().hear({ type: 'batch', ev: [{ seq: 12, type: 'x', ts: 0, id: '' }] });
  expect(store.conn.state).toBe('live');
  last().close();
  expect(store.conn.state).toBe('down');
  expect(store.loaded).toBe(true); // the last picture stays
  await vi.advanceTimersByTimeAsync(500);
  expect(last().path).toBe('/ws?epoch=e1&since=12');
  last().hear(hello({ resumed: true }));
  expect(store.conn).toMatchObject({ state: 'live', resumed: true });
});

it('waits longer each time, and begins anew once it was let in', async () => {
  answer = 0;
  await socket.start();
  const waits: number[] = [];
  for (let i = 0; i < 7; i++) {
    waits.push(store.conn.retryAt - Date.now());
    await vi.advanceTimersByTimeAsync(waits[i] ?? 0);
  }
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15000, 15000]);
  answer = 200;
  socket.hurry();
  await vi.advanceTimersByTimeAsync(0);
  last().hear(hello());
  last().close();
  expect(store.conn.retryAt - Date.now()).toBe(500);
});

it('says who is a stranger, and does not try again by itself', async () => {
  answer = 401;
  await socket.start();
  expect(store.conn.state).toBe('stranger');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(wires).toHaveLength(0);
});

it('stops where the house speaks another way', async () => {
  await socket.start();
  last().hear(hello({ proto: 2 }));
  expect(store.conn.state).toBe('outdated');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(wires).toHaveLength(1);
});

it('gives up a line that has gone silent', async () => {
  await socket.start();
  last().hear(hello());
  await vi.advanceTimersByTimeAsync(2000);
  last().hear({ type: 'hb', seq: 1, now: Date.now() });
  await vi.advanceTimersByTimeAsync(2000);
  expect(store.conn.state).toBe('live');
  await vi.advanceTimersByTimeAsync(1000);
  expect(store.conn.state).toBe('down');
});

it('has the answers of its calls, and the refusals with their remedies', async () => {
  await socket.start();
  last().hear(hello());
  const good = socket.call('run_agent', { role: 'r' });
  const bad = socket.call('delete_group', { groupId: 'g' });
  const [first, second] = last().sent;
  expect(first).toMatchObject({ type: 'call', tool: 'run_agent', input: { role: 'r' } });
  last().hear({ type: 'ack', id: second?.id, ok: false, error: { code: 'conflict', message: 'busy', remedy: 'wait' } });
  last().hear({ type: 'ack', id: first?.id, ok: true, data: { agentId: 'a' } });
  await expect(good).resolves.toEqual({ agentId: 'a' });
  await expect(bad).rejects.toMatchObject({ fault: { code: 'conflict', remedy: 'wait' } });
});

it('does not leave a call without an answer when the line breaks', async () => {
  await socket.start();
  last().hear(hello());
  const call = socket.call('x', {});
  last().close();
  await expect(call).rejects.toBeInstanceOf(Refused);
  await expect(socket.call('x', {})).rejects.toMatchObject({ fault: { code: 'unavailable' } });
});

it('follows a log across a broken line without a gap or a repetition', async () => {
  await socket.start();
  last().hear(hello());
  let text = '';
  const stop = socket.follow('agent:a:log', 100, (p) => {
    text += p.text;
  });
  expect(last().sent.at(-1)).toMatchObject({ type: 'sub', topics: ['agent:a:log'], offset: 100 });
  last().hear({ type: 'delta', topic: 'agent:a:log', offset: 100, next: 106, text: '黒衣' });
  last().close();
  await vi.advanceTimersByTimeAsync(500);
  last().hear(hello({ resumed: true }));
  expect(last().sent.at(-1)).toMatchObject({ type: 'sub', offset: 106 });
  last().hear({ type: 'delta', topic: 'agent:a:log', offset: 100, next: 106, text: '黒衣' });
  last().hear({ type: 'delta', topic: 'agent:a:log', offset: 106, next: 107, text: '!' });
  expect(text).toBe('黒衣!');
  stop();
  expect(last().sent.at(-1)).toMatchObject({ type: 'unsub', topics: ['agent:a:log'] });
  last().hear({ type: 'delta', topic: 'agent:a:log', offset: 107, next: 108, text: '?' });
  expect(text).toBe('黒衣!');
});
