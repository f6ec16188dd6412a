import { beforeEach, expect, it, vi } from 'vitest';
import { Store } from '../../live/store.ts';
import { titleFor } from '../approvals/useCount.ts';

let draw: () => void;
let s: Store;

beforeEach(() => {
  let frame = () => {};
  s = new Store((f) => {
    frame = f;
  });
  draw = () => frame();
  s.snapshot(1, 'e', {});
  draw();
});

const say = (seq: number, type: string, id: string) => s.batch([{ seq, type, ts: 0, id, data: { job_id: id } }]);

it.each(['evaluation', 'run'])('tells who shows a job of %s of every fact, and the list of how it stands', (kind) => {
  const one = vi.fn();
  const other = vi.fn();
  const list = vi.fn();
  s.listen('job:a', one);
  s.listen('job:b', other);
  s.listen(kind, list);
  say(2, `${kind}:created`, 'a');
  draw();
  expect([one.mock.calls.length, list.mock.calls.length]).toEqual([1, 1]);
  say(3, `${kind}:entry`, 'a');
  draw();
  expect([one.mock.calls.length, list.mock.calls.length]).toEqual([2, 1]);
  say(4, `${kind}:completed`, 'a');
  draw();
  expect([one.mock.calls.length, list.mock.calls.length]).toEqual([3, 2]);
  expect(other).not.toHaveBeenCalled();
});

it('puts how many wait into the title, and takes it out again', () => {
  const asked = { kind: 'command', id: 'q', spent_micros: 0, limit_micros: 0, waiting: 1, since: '' };
  s.batch([{ seq: 2, type: 'approval:asked', ts: 0, id: 'q', data: asked }]);
  expect(titleFor(s.approvals.length)).toBe('(1) Kurogo');
  s.batch([{ seq: 3, type: 'approval:answered', ts: 0, id: 'q', data: asked }]);
  expect(titleFor(s.approvals.length)).toBe('Kurogo');
});

it('takes back what a run asked for when it ends without an answer', () => {
  const asked = (id: string, job_id: string) => ({
    kind: 'command',
    id,
    job_id,
    spent_micros: 0,
    limit_micros: 0,
    waiting: 1,
    since: '',
  });
  s.batch([
    { seq: 2, type: 'approval:asked', ts: 0, id: 'p', data: asked('p', 'a') },
    { seq: 3, type: 'approval:asked', ts: 0, id: 'q', data: asked('q', 'b') },
  ]);
  draw();
  const told = vi.fn();
  s.listen('approvals', told);
  say(4, 'run:completed', 'a');
  draw();
  expect(s.approvals.map((x) => x.id)).toEqual(['q']);
  expect(told).toHaveBeenCalledTimes(1);
});
