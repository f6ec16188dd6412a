import { expect, it } from 'vitest';
import type { Detail, Message, Session } from '../chat/wire.ts';
import { found } from './talks.ts';

const session = (id: string, title: string | null): Session => ({
  id,
  title,
  created_at: '',
  updated_at: '',
  last_activity_at: '',
});
const said = (id: string, content: string): Message => ({
  id,
  session_id: 's',
  role: 'user',
  content,
  created_at: '',
  fallback: false,
  status: 'logged',
});
const detail = (s: Session, ...messages: Message[]): Detail => ({ ...s, messages, more: false });

it('finds words in titles and in what was said', () => {
  const a = session('a', 'The Curtain');
  const b = session('b', null);
  const read = new Map([
    ['a', detail(a, said('1', 'nothing'), said('2', `${'x'.repeat(200)} the CURTAIN falls ${'y'.repeat(200)}`))],
    ['b', detail(b, said('3', '幕は重い'))],
  ]);
  const hits = found('curtain', [a, b], read);
  expect(hits.map((h) => [h.key, h.role])).toEqual([
    ['a-title', 'title'],
    ['2', 'user'],
  ]);
  expect(hits[1]?.match).toBe('CURTAIN');
  expect(hits[1]?.before.startsWith('…')).toBe(true);
  expect(hits[1]?.after.endsWith('…')).toBe(true);
  expect(found('幕は', [a, b], read).map((h) => h.key)).toEqual(['3']);
  expect(found('curtain absent', [a, b], read)).toEqual([]);
  expect(found('  ', [a, b], read)).toEqual([]);
});

it('shows three places of a talk, and is not led astray by letters that grow', () => {
  const a = session('a', 'İstanbul harbour');
  const many = Array.from({ length: 9 }, (_, i) => said(`${i}`, 'rope'));
  const read = new Map([['a', detail(a, ...many)]]);
  expect(found('rope', [a], read)).toHaveLength(3);
  expect(found('harbour', [a], read)[0]?.before).toBe('İstanbul harbour');
});
