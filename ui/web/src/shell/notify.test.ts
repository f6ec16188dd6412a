import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setLang } from '../i18n/index.ts';
import type { Event } from '../live/words.ts';
import { Caller, noticeOf } from './notify.ts';

const event = (type: string, id: string, data: unknown): Event => ({ seq: 1, ts: 0, type, id, data });
const task = (id: string, status: string, more: object = {}) =>
  event('task:status_update', id, { status, depth: 0, owner: 'grand_boss', content: `sew ${id}`, ...more });

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  setLang('en');
});

it('is made of what has ended or waits, and of nothing else', () => {
  const agent = (outcome: string, createdBy = 'user') =>
    event('agent:completed', 'a', { status: 'result_reported', outcome, createdBy, role: 'r', prompt: 'p' });
  const told = (e: Event) => {
    const n = noticeOf(e);
    return n && [n.on, n.title, n.body, n.path];
  };
  expect(told(task('t', 'completed'))).toEqual(['finish', 'Task finished', 'sew t', '/tasks/t']);
  expect(told(task('t', 'timed_out'))?.[0]).toBe('failure');
  expect(told(agent('lost'))).toEqual(['failure', 'Agent failed', 'r: p', '/agents/a']);
  expect(told(event('evaluation:completed', 'e', { status: 'completed', title: 'README' }))).toEqual([
    'finish',
    'Evaluation finished',
    'README',
    '/evals/e',
  ]);
  expect(told(event('run:completed', 'r', { status: 'failed', title: 'fix' }))).toEqual([
    'failure',
    'Run failed',
    'fix',
    '/runs/r',
  ]);
  expect(told(event('approval:asked', 'day', { kind: 'day' }))?.slice(0, 2)).toEqual([
    'approval',
    'Your word is waited for',
  ]);
  for (const e of [
    task('t', 'running'),
    task('t', 'cancelled'),
    task('t', 'completed', { depth: 1 }),
    task('t', 'completed', { owner: 'agent:x' }),
    agent('cancelled'),
    agent('completed', 'run:j'),
    event('run:completed', 'r', { status: 'cancelled', title: '' }),
    event('chat:message_added', 'c', {}),
    event('task:status_update', 't', null),
  ])
    expect(noticeOf(e)).toBeNull();
  setLang('ja');
  expect(told(task('t', 'failed'))?.[1]).toBe('タスク失敗');
});

it('calls once, and many as one', () => {
  const shown: string[] = [];
  const caller = new Caller((n) => shown.push(`${n.title}|${n.body}|${n.path}`));
  caller.hear(task('1', 'completed'));
  caller.hear(task('1', 'completed'));
  expect(shown).toEqual([]);
  vi.advanceTimersByTime(1_500);
  expect(shown).toEqual(['Task finished|sew 1|/tasks/1']);
  caller.hear(task('1', 'completed'));
  vi.advanceTimersByTime(5_000);
  expect(shown).toHaveLength(1);
  for (let i = 2; i < 9; i++) caller.hear(task(`${i}`, i % 2 ? 'completed' : 'failed'));
  vi.advanceTimersByTime(1_500);
  expect(shown.slice(1)).toEqual(['Kurogo|3 finished, 4 failed|/']);
});

it('calls anew when the same is asked after its answer', () => {
  const shown: string[] = [];
  const caller = new Caller((n) => shown.push(n.tag));
  const asked = event('approval:asked', 'q', { kind: 'task', content: 'c' });
  for (const e of [asked, asked, event('approval:answered', 'q', {}), asked]) {
    caller.hear(e);
    vi.advanceTimersByTime(2_000);
  }
  expect(shown).toEqual(['approval q', 'approval q']);
});
