import { afterEach, expect, it, vi } from 'vitest';
import type { Agent, AgentStatus, Group, Past } from '../../live/words.ts';
import { csv, everything, heaps, joined, json, pathOf } from './past.ts';

const agent = (agentId: string, groupId: string, role: string, outcome: AgentStatus, said = 'done'): Agent => ({
  agentId,
  groupId,
  role,
  driver: 'd',
  model: '',
  status: outcome,
  outcome,
  taskId: '',
  stage: 0,
  waiting: '',
  workingDirectory: '',
  timeout: 0,
  isolation: 'none',
  createdBy: 'user',
  queuedAt: '2026-11-21T13:00:00.000Z',
  startedAt: '2026-11-21T13:00:00.000Z',
  endedAt: '2026-11-21T13:00:01.500Z',
  prompt: '',
  run: { toolCallCount: 2, lastAssistantMessage: said, exitCode: 0, createdFiles: ['x', 'y, z'] },
  rehearsal: true,
});

const group = (groupId: string): Group => ({
  groupId,
  description: 'the same name',
  status: 'active',
  createdBy: 'user',
  createdAt: '',
});
const groups = new Map(['g', 'h'].map((id) => [id, group(id)]));
const all = [
  agent('a3', 'g', 'test', 'timed_out'),
  agent('a2', 'h', 'test', 'failed'),
  agent('a1', 'g', 'code', 'completed'),
];
const names = (by?: string) =>
  heaps(all, groups, by).map((r) => (r.kind === 'head' ? `# ${r.name} ${r.n}` : r.a.agentId));

afterEach(() => vi.unstubAllGlobals());

it('asks the journal for what is wanted', () => {
  expect(pathOf({}, 0, 0)).toBe('/history?limit=100');
  expect(pathOf({ group: 'g', role: 'r', status: 'lost', q: ' a b ', sort: '-tools' }, 200, 9)).toBe(
    '/history?group=g&role=r&status=lost&find=a+b&sort=-tools&offset=200&until=9&limit=100',
  );
  expect(pathOf({ by: 'role', sort: 'tools' }, 0, 0)).toBe('/history?sort=-role&limit=100');
});

it('heaps by group, though two have one name', () => {
  expect(names()).toEqual(['a3', 'a2', 'a1']);
  expect(names('group')).toEqual(['# the same name 2', 'a3', 'a1', '# the same name 1', 'a2']);
  expect(names('status')).toEqual(['# timed_out 1', 'a3', '# failed 1', 'a2', '# completed 1', 'a1']);
});

it('joins pages, and has nobody twice', () => {
  const page = (agents: Agent[], g: string): Past => ({ agents, groups: [group(g)], roles: [], total: 3, until: 9 });
  const whole = joined([page(all.slice(0, 2), 'g'), page(all.slice(1), 'h')]);
  expect(whole.agents.map((a) => a.agentId)).toEqual(['a3', 'a2', 'a1']);
  expect([...whole.groups.keys()]).toEqual(['g', 'h']);
  expect(whole.total).toBe(3);
});

it('takes everything away, page after page on one state', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    const offset = Number(new URL(path, 'http://x').searchParams.get('offset') ?? 0);
    const data: Past = { agents: all.slice(offset, offset + 2), groups: [], roles: [], total: 3, until: 7 };
    return new Response(JSON.stringify({ ok: true, data, error: null }));
  });
  const told: string[] = [];
  const whole = await everything({ role: 'test' }, (n, of) => told.push(`${n}/${of}`));
  expect(whole.agents).toHaveLength(3);
  expect(told).toEqual(['2/3', '3/3']);
  expect(asked).toEqual(['/api/history?role=test&limit=500', '/api/history?role=test&offset=2&until=7&limit=500']);
});

it('exports a table that a spreadsheet reads, and cannot be tricked by', () => {
  const text = csv([agent('a1', 'g', 'code', 'completed', '=1+1 "quoted"')], groups);
  const [head, ...rest] = text.split('\r\n');
  expect(head?.split(',').slice(0, 4)).toEqual(['agentId', 'groupId', 'groupDescription', 'role']);
  expect(rest.join('\r\n')).toContain(`"'=1+1 ""quoted""",,1500,,"x\ny, z",2,0,`);
  expect(csv([], groups)).toBe('\r\n');
});

it('exports the same as a list', () => {
  expect(JSON.parse(json(all.slice(2), groups))).toMatchObject([
    {
      agentId: 'a1',
      groupDescription: 'the same name',
      outcome: 'completed',
      duration_ms: 1500,
      createdFiles: ['x', 'y, z'],
    },
  ]);
});
