import { expect, it } from 'vitest';
import { brief } from './brief.ts';
import { type Act, reduce, silence, type Talk, waits } from './talk.ts';
import { deriveTitle } from './title.ts';
import type { Detail, Message } from './wire.ts';

const minute = (n: number) => `2026-11-21T12:${String(n).padStart(2, '0')}:00Z`;
const message = (id: string, at: number, more: Partial<Message> = {}): Message => ({
  id,
  session_id: 's',
  role: 'user',
  content: id,
  created_at: minute(at),
  fallback: false,
  status: 'logged',
  ...more,
});
const detail = (messages: Message[], more = false): Detail => ({
  id: 's',
  title: null,
  created_at: minute(0),
  updated_at: minute(0),
  last_activity_at: minute(0),
  messages,
  more,
});
const play = (...acts: Act[]): Talk => acts.reduce(reduce, silence);
const ids = (t: Talk) => t.lines.map((l) => (l.local ? `${l.id}:${l.local}` : l.id));
const say = (key: string, text = key, at = 10): Act => ({
  do: 'say',
  saying: { key, text },
  session: 's',
  at: minute(at),
});
const failed: Act = { do: 'failed', fault: { code: 'internal', message: 'boom' }, fallback: 'sorry', at: minute(11) };

it('shows what was said at once, and then as it was written down', () => {
  let t = play({ do: 'read', detail: detail([]) }, say('k', 'hello'));
  expect(ids(t)).toEqual(['local-k:sent']);
  expect(t.saying).toEqual({ key: 'k', text: 'hello' });
  t = reduce(t, { do: 'accepted', message: message('q', 10, { status: 'pending' }) });
  expect(ids(t)).toEqual(['q']);
  t = reduce(t, { do: 'partial', text: 'It is' });
  expect(t.partial).toBe('It is');
  const answer = message('a', 11, { role: 'assistant', reply_to: 'q' });
  t = reduce(t, { do: 'answered', message: answer });
  expect(ids(t)).toEqual(['q', 'a']);
  expect(t.saying).not.toBeNull(); // until the history was read again
  t = reduce(reduce(t, { do: 'read', detail: detail([message('q', 10), answer]) }), { do: 'settled' });
  expect([ids(t), t.saying, t.partial]).toEqual([['q', 'a'], null, '']);
});

it('needs nobody to tell that it was accepted', () => {
  const answer = message('a', 11, { role: 'assistant', reply_to: 'q' });
  let t = play(say('k'), { do: 'answered', message: answer });
  expect(ids(t)).toEqual(['q', 'a']);
  t = reduce(t, { do: 'read', detail: detail([message('q', 10), answer]) });
  expect(ids(t)).toEqual(['q', 'a']);
});

it('keeps what was not answered, and says it again under the same key', () => {
  let t = play({ do: 'read', detail: detail([message('q0', 1)]) }, say('k', 'hello'), failed);
  expect(ids(t)).toEqual(['q0', 'local-k:failed', 'local-k-answer:fallback']);
  expect(t).toMatchObject({ saying: null, error: { code: 'internal' }, failed: { key: 'k', text: 'hello' } });
  expect(t.lines.at(-1)).toMatchObject({ content: 'sorry', fallback: true, role: 'assistant' });
  t = reduce(t, { do: 'dismiss' });
  expect([t.error, t.failed?.key]).toEqual([null, 'k']);
  t = reduce(t, say('k', 'hello', 12));
  expect(ids(t)).toEqual(['q0', 'local-k:sent']);
  expect([t.error, t.failed]).toEqual([null, null]);
});

it('does not show twice what was written down before it failed', () => {
  let t = play(say('k'), { do: 'accepted', message: message('q', 10, { status: 'pending' }) }, failed);
  expect(ids(t)).toEqual(['q', 'local-k-answer:fallback']);
  t = reduce(t, say('k'));
  expect(ids(t)).toEqual(['q']);
});

it('keeps its own lines among those that are read later, in the order of time', () => {
  const t = play(say('k', 'k', 5), failed, {
    do: 'read',
    detail: detail([message('q1', 1), message('q2', 20)]),
  });
  expect(ids(t)).toEqual(['q1', 'local-k:failed', 'local-k-answer:fallback', 'q2']);
});

it('joins pages, and forgets those that no longer join', () => {
  let t = play(
    { do: 'read', detail: detail([message('3', 3), message('4', 4)], true) },
    { do: 'readEarlier', detail: detail([message('1', 1), message('2', 2), message('3', 3)], false) },
  );
  expect([ids(t), t.more]).toEqual([['1', '2', '3', '4'], false]);
  t = reduce(t, { do: 'read', detail: detail([message('3', 3), message('4', 4), message('5', 5)], true) });
  expect([ids(t), t.more]).toEqual([['1', '2', '3', '4', '5'], false]);
  t = reduce(t, { do: 'read', detail: detail([message('900', 9)], true) });
  expect([ids(t), t.more]).toEqual([['900'], true]);
});

it('knows when an answer is owed that nobody here asked for', () => {
  expect(waits(play({ do: 'read', detail: detail([message('q', 1, { status: 'pending' })]) }))).toBe(true);
  expect(waits(play({ do: 'read', detail: detail([message('q', 1, { status: 'answered' })]) }))).toBe(false);
  expect(waits(play(say('k')))).toBe(false);
  expect(waits(silence)).toBe(false);
});

it('makes a title of the first line that says anything', () => {
  expect(deriveTitle('\n  Where is   the lock?\nreally')).toBe('Where is the lock?');
  expect(deriveTitle('幕'.repeat(41))).toBe(`${'幕'.repeat(39)}…`);
  expect(deriveTitle(`${'x'.repeat(38)} yz`)).toBe(`${'x'.repeat(38)}…`);
  expect([...deriveTitle('🎭'.repeat(40))]).toHaveLength(40);
  expect(deriveTitle(' \n')).toBe('');
});

it('words a talk as a task, with as much of its end as fits', () => {
  const lines = [
    message('a', 1),
    message('b', 2, { role: 'assistant' }),
    { ...message('c', 3), local: 'failed' as const },
  ];
  expect(brief('Do it.', 'So far:', lines)).toBe('Do it.\n\nSo far:\nuser: a\nassistant: b');
  const long = Array.from({ length: 60 }, (_, i) => message(`${i}`, 1, { content: `${i} ${'幕'.repeat(1_000)}` }));
  const text = brief('Do it.', 'So far:', long);
  expect(new TextEncoder().encode(text).length).toBeLessThan(64 << 10);
  expect(text).toContain('user: 59 ');
  expect(text).not.toContain('user: 20 ');
});
