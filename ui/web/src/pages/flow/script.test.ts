import { expect, it } from 'vitest';
import { classOf, lanesOf, Script } from './script.ts';

const letter = (id: string, from: string, to: string, type = 'task_request') => ({
  id,
  from_agent: from,
  to_agent: to,
  type,
  content: 'x',
  metadata: { timestamp: '', priority: 'normal', retry_count: 0 },
  timestamp: '',
});
const told = (seq: number, kind: string, data: unknown, id = '') => ({
  seq,
  at: '2026-11-21T13:34:43Z',
  kind,
  id,
  data,
});

it('follows a letter from being written to being read', () => {
  const s = new Script();
  s.add(told(1, 'message:accepted', letter('m', 'user', 'grand_boss')));
  expect(s.said[0]?.fate).toBe('accepted');
  s.add(told(2, 'message:delivered', { message_id: 'm' }));
  s.add(told(3, 'message:retried', { message_id: 'm', error: 'it fell' }));
  s.add(told(4, 'message:acked', { message_id: 'm' }));
  expect(s.said).toMatchObject([{ fate: 'acked', error: 'it fell' }]);
});

it('shows what was refused, with the reason, though nobody got it', () => {
  const s = new Script();
  s.add(
    told(
      1,
      'message:refused',
      { from_agent: 'grand_boss', to_agent: 'coding_specialist', type: 'task_request', error: 'denied: no' },
      'r',
    ),
  );
  expect(s.said).toMatchObject([{ fate: 'refused', m: { id: 'r', content: 'denied: no' } }]);
  expect(s.said.map(classOf)).toEqual(['trouble']);
});

it('hears nothing twice', () => {
  const s = new Script();
  const e = told(5, 'persona:thinking', { from_agent: 'grand_boss', text: 'hm' });
  expect(s.add(e)).toBe(true);
  expect(s.add(e)).toBe(false);
  expect(s.thoughts).toHaveLength(1);
});

it('forgets the oldest, not the newest', () => {
  const s = new Script();
  for (let i = 1; i <= 4_001; i++) s.add(told(i, 'message:routed', letter(`m${i}`, 'a', 'b', 'progress')));
  expect(s.said).toHaveLength(2_000);
  expect(s.said.at(-1)?.m.id).toBe('m4001');
});

it('gives the crew its lanes in order, and one to all agents of groups', () => {
  const s = new Script();
  s.add(told(1, 'message:accepted', letter('a', 'user', 'agent:impl-code-1-a')));
  s.add(told(2, 'message:accepted', letter('b', 'agent:impl-test-1-b', 'user', 'task_complete')));
  expect(lanesOf(['grand_boss', 'middle_manager'], s.said)).toEqual(['user', 'grand_boss', 'middle_manager', 'agents']);
});
