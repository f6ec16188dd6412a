import { expect, it } from 'vitest';
import type { Agent, AgentStatus, Group } from '../../live/words.ts';
import { lines, past } from './past.ts';

const agent = (
  agentId: string,
  groupId: string,
  role: string,
  outcome: AgentStatus,
  ms: number,
  status = outcome,
): Agent => ({
  agentId,
  groupId,
  role,
  driver: 'd',
  model: '',
  status,
  outcome,
  taskId: '',
  stage: 0,
  waiting: '',
  workingDirectory: '',
  timeout: 0,
  isolation: 'none',
  createdBy: 'user',
  queuedAt: `2026-11-21T13:00:0${agentId.at(-1)}.000Z`,
  startedAt: '2026-11-21T13:00:00.000Z',
  endedAt: new Date(Date.parse('2026-11-21T13:00:00.000Z') + ms).toISOString(),
  prompt: '',
  run: { toolCallCount: ms, lastAssistantMessage: `said by ${agentId}`, exitCode: 0, createdFiles: ['x'] },
  rehearsal: true,
});

const groups = new Map<string, Group>(
  ['g', 'h'].map((groupId) => [
    groupId,
    { groupId, description: 'the same name', status: 'active', createdBy: 'user', createdAt: '' },
  ]),
);
const all = [
  agent('a1', 'g', 'impl-code', 'completed', 300, 'result_reported'),
  agent('a2', 'h', 'impl-test', 'failed', 100),
  agent('a3', 'g', 'impl-test', 'timed_out', 200),
];
const names = (w: Parameters<typeof past>[2]) =>
  past(all, groups, w).rows.map((r) => (r.kind === 'head' ? `# ${r.name} ${r.n}` : r.a.agentId));

it('begins with the newest', () => expect(names({})).toEqual(['a3', 'a2', 'a1']));

it('filters by group, role, words, and by the outcome behind a report', () => {
  expect(names({ group: 'g' })).toEqual(['a3', 'a1']);
  expect(names({ role: 'impl-test', q: 'BY a2' })).toEqual(['a2']);
  expect(names({ status: 'completed' })).toEqual(['a1']);
});

it('sorts by what a column shows, either way', () => {
  expect(names({ sort: 'duration' })).toEqual(['a2', 'a3', 'a1']);
  expect(names({ sort: '-tools' })).toEqual(['a1', 'a3', 'a2']);
});

it('heaps by group, though two have one name', () => {
  expect(names({ by: 'group' })).toEqual(['# the same name 2', 'a3', 'a1', '# the same name 1', 'a2']);
});

it('exports what was found, a line each', () => {
  const text = lines(past(all, groups, { role: 'impl-code' }).found, groups);
  expect(text.endsWith('}\n')).toBe(true);
  expect(JSON.parse(text)).toMatchObject({
    agentId: 'a1',
    groupDescription: 'the same name',
    status: 'result_reported',
    outcome: 'completed',
    duration_ms: 300,
    createdFiles: ['x'],
  });
  expect(lines([], groups)).toBe('');
});
