import { expect, it } from 'vitest';
import type { Agent, AgentStatus, Group } from '../../live/words.ts';
import { lay, type View } from './layout.ts';

const group = (groupId: string, createdAt: string, status: Group['status'] = 'active'): Group => ({
  groupId,
  description: `about ${groupId}`,
  status,
  createdBy: 'user',
  createdAt,
});

const agent = (agentId: string, groupId: string, status: AgentStatus, outcome?: AgentStatus): Agent => ({
  agentId,
  groupId,
  role: 'impl-code',
  driver: 'rehearsal',
  model: '',
  status,
  ...(outcome ? { outcome } : {}),
  taskId: '',
  stage: 0,
  waiting: '',
  workingDirectory: '',
  timeout: 0,
  isolation: 'none',
  createdBy: 'user',
  queuedAt: agentId,
  prompt: 'carve the CLAPPERS',
  run: { toolCallCount: 0, lastAssistantMessage: '', exitCode: 0 },
  rehearsal: true,
});

const house = {
  groups: new Map(
    [group('old', '1'), group('new', '2'), group('gone', '3', 'deleted'), group('bare', '0')].map((g) => [
      g.groupId,
      g,
    ]),
  ),
  agents: new Map(
    [
      agent('a3', 'old', 'running'),
      agent('a1', 'old', 'result_reported', 'failed'),
      agent('a2', 'old', 'queued'),
      agent('b1', 'new', 'completed', 'completed'),
      agent('c1', 'gone', 'completed', 'completed'),
      agent('d1', 'unheard-of', 'cancelled', 'cancelled'),
    ].map((a) => [a.agentId, a]),
  ),
};

const see = (view: Partial<View> = {}) => lay(house, { table: false, columns: 2, folded: new Set(), ...view });
const script = (view: Partial<View> = {}) =>
  see(view).rows.map((r) => {
    switch (r.kind) {
      case 'head':
        return `# ${r.section.id || 'unfiled'} ${r.section.shown}/${r.section.total}`;
      case 'cards':
        return r.ids.join(' ');
      case 'line':
        return `- ${r.id}`;
    }
    return r.kind;
  });

it('puts the newest group first, agents as they were asked for, and strangers last', () => {
  expect(script()).toEqual([
    '# new 1/1',
    'b1',
    '# old 3/3',
    'a1 a2',
    'a3',
    '# bare 0/0',
    'note',
    '# unfiled 1/1',
    'd1',
  ]);
});

it('counts by what a person looks for: a reported failure is a failure', () => {
  expect(see().filters).toEqual({ running: 1, queued: 1, done: 2, fallen: 1 });
  expect(see().total).toBe(5);
});

it('shows only what is looked for, and only groups that have it', () => {
  expect(script({ status: 'fallen' })).toEqual(['# old 1/3', 'a1']);
  expect(script({ q: 'clappers about OLD' })).toEqual(['# old 3/3', 'a1 a2', 'a3']);
  expect(script({ q: 'nothing of the kind' })).toEqual([]);
  expect(see({ status: 'fallen' }).filters.running).toBe(1);
});

it('folds a group, and is a table where cards are too many', () => {
  expect(script({ folded: new Set(['old', 'bare', '']) })).toEqual([
    '# new 1/1',
    'b1',
    '# old 3/3',
    '# bare 0/0',
    '# unfiled 1/1',
  ]);
  expect(script({ table: true, q: 'a3' })).toEqual(['# old 1/3', 'columns', '- a3']);
});

it('gives every row a key of its own', () => {
  const keys = see().rows.map((r) => r.key);
  expect(new Set(keys).size).toBe(keys.length);
});
