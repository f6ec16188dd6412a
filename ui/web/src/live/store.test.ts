import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Store } from './store.ts';
import type { Agent, AgentStatus, Event, Task } from './words.ts';

let frames: (() => void)[];
let s: Store;

const draw = () => {
  const now = frames;
  frames = [];
  for (const f of now) f();
};

const agent = (id: string, status: AgentStatus, more: Partial<Agent> = {}): Agent => ({
  agentId: id,
  groupId: 'grp-1',
  role: 'impl-code',
  driver: 'rehearsal',
  model: '',
  status,
  taskId: 't',
  stage: 0,
  waiting: '',
  workingDirectory: '/p',
  timeout: 3e11,
  isolation: 'none',
  createdBy: 'user',
  queuedAt: '2026-11-21T13:34:43.423Z',
  prompt: 'carve',
  run: { toolCallCount: 0, lastAssistantMessage: '', exitCode: 0 },
  rehearsal: true,
  ...more,
});

const event = (seq: number, type: string, data: unknown, id = ''): Event => ({ seq, type, ts: 0, id, data });

beforeEach(() => {
  frames = [];
  s = new Store((f) => frames.push(f));
  s.snapshot(10, 'e1', { agents: [agent('a', 'queued')], groups: [], roles: [], crew: [], tasks: [], approvals: [] });
  draw();
});

describe('a snapshot', () => {
  it('replaces everything and tells who listened to what is gone', () => {
    const gone = vi.fn();
    s.listen('agent:a', gone);
    s.snapshot(20, 'e2', { agents: [agent('b', 'running')] });
    draw();
    expect([...s.agents.keys()]).toEqual(['b']);
    expect([s.seq, s.epoch]).toEqual([20, 'e2']);
    expect(gone).toHaveBeenCalledTimes(1);
  });

  it('takes null for nothing', () => {
    s.snapshot(20, 'e2', { agents: null, roles: null, approvals: null });
    expect(s.agents.size + s.roles.size + s.approvals.length).toBe(0);
  });
});

describe('a batch', () => {
  it('moves an agent through its states, and says once a frame that it did', () => {
    const heard = vi.fn();
    s.listen('agent:a', heard);
    s.batch([
      event(12, 'agent:status_update', agent('a', 'running')),
      event(
        15,
        'agent:status_update',
        agent('a', 'running', { run: { toolCallCount: 3, lastAssistantMessage: 'hm', exitCode: 0 } }),
      ),
    ]);
    expect(s.agents.get('a')?.run.toolCallCount).toBe(3);
    expect(heard).not.toHaveBeenCalled();
    draw();
    expect(heard).toHaveBeenCalledTimes(1);
    expect(s.seq).toBe(15);
  });

  it('counts 500 events as one drawing', () => {
    const heard = vi.fn();
    s.listen('agent:a', heard);
    s.batch(Array.from({ length: 500 }, (_, i) => event(11 + i, 'agent:status_update', agent('a', 'running'))));
    draw();
    expect(heard).toHaveBeenCalledTimes(1);
  });

  it('has gaps in its numbers, and is not applied twice', () => {
    s.batch([event(30, 'agent:status_update', agent('a', 'completed', { outcome: 'completed' }))]);
    s.batch([
      event(12, 'agent:status_update', agent('a', 'running')),
      event(30, 'agent:created', agent('z', 'queued')),
    ]);
    expect(s.agents.get('a')?.status).toBe('completed');
    expect(s.agents.has('z')).toBe(false);
    expect(s.seq).toBe(30);
  });

  it('passes over what it does not know', () => {
    s.batch([event(11, 'weather:changed', { rain: true }), event(12, 'agent:created', agent('b', 'queued'))]);
    expect(s.agents.has('b')).toBe(true);
  });

  it('says that the list changed only when a state did', () => {
    const before = s.version('agents');
    s.batch([
      event(
        11,
        'agent:status_update',
        agent('a', 'queued', { run: { toolCallCount: 1, lastAssistantMessage: '', exitCode: 0 } }),
      ),
    ]);
    expect(s.version('agents')).toBe(before);
    s.batch([event(12, 'agent:status_update', agent('a', 'running'))]);
    expect(s.version('agents')).toBe(before + 1);
  });

  it('keeps the recent calls that a later event leaves out', () => {
    const run = { toolCallCount: 1, lastAssistantMessage: '', exitCode: 0 };
    const call = { callId: '1', type: 'Write', subtype: 'completed', args: '{}' };
    s.batch([
      event(11, 'agent:status_update', agent('a', 'running', { run: { ...run, recentToolCalls: [call] } })),
      event(12, 'agent:status_update', agent('a', 'running', { run })),
    ]);
    expect(s.agents.get('a')?.run.recentToolCalls).toEqual([call]);
  });

  it('counts what ended well and ill for the announcer, once each', () => {
    s.batch([
      event(11, 'agent:created', agent('b', 'queued')),
      event(12, 'agent:completed', agent('a', 'completed', { outcome: 'completed' })),
      event(13, 'agent:completed', agent('b', 'timed_out', { outcome: 'timed_out' })),
      event(14, 'agent:status_update', agent('a', 'result_reported', { outcome: 'completed' })),
    ]);
    expect(s.ended).toEqual({ well: 1, ill: 1 });
  });

  it('keeps groups, crew, roles and tasks', () => {
    const task: Task = {
      id: 'sub',
      root_id: 'root',
      parent_id: 'root',
      depth: 1,
      requester: 'user',
      owner: 'grand_boss',
      priority: 'normal',
      status: 'running',
      content: 'x',
      open_subtasks: 0,
      created_at: '2026-11-21T13:34:43Z',
    };
    const role = {
      id: 'r',
      name: 'R',
      driver: 'd',
      model: '',
      available: false,
      healthCheck: { status: 'failed' },
      modelValidation: { status: 'valid' },
    };
    s.listen('tree:root', () => {});
    const tree = s.version('tree:root');
    s.batch([
      event(11, 'group:created', { groupId: 'grp-1', description: 'one', status: 'active' }),
      event(12, 'group:deleted', { groupId: 'grp-1', description: 'one', status: 'deleted', deletedAt: 'x' }),
      event(13, 'persona:status_update', { name: 'grand_boss', state: 'working' }),
      event(14, 'healthcheck:complete', { roles: [role] }),
      event(15, 'task:status_update', task),
    ]);
    expect(s.groups.get('grp-1')?.status).toBe('deleted');
    expect(s.crew.get('grand_boss')?.state).toBe('working');
    expect(s.roles.get('r')?.available).toBe(false);
    expect(s.tasks.get('sub')).toEqual(task);
    expect(s.version('tree:root')).toBe(tree + 1);
  });

  it('keeps the tasks of agents with the agents, and nothing of what nobody looks at', () => {
    s.batch([event(11, 'task:status_update', { id: 'own', root_id: 'own', owner: 'agent:a', status: 'running' })]);
    expect(s.tasks.size).toBe(0);
    expect(s.version('task:own')).toBe(0);
    const heard = vi.fn();
    s.listen('tree:own', heard);
    s.batch([event(12, 'task:status_update', { id: 'own', root_id: 'own', owner: 'agent:a', status: 'completed' })]);
    draw();
    expect(heard).toHaveBeenCalledTimes(1);
  });

  it('knows what waits for a person, until it is answered', () => {
    const heard = vi.fn();
    s.listen('approvals', heard);
    const day = { kind: 'day', spent_micros: 2, limit_micros: 1, waiting: 1, since: '' };
    s.batch([
      event(11, 'approval:asked', { ...day, kind: 'task', task_id: 't1' }, 't1'),
      event(12, 'approval:asked', day, 'day'),
      event(13, 'approval:asked', { kind: 'delete', id: 'q1', job_id: 'j' }, 'q1'),
      event(14, 'approval:asked', { ...day, spent_micros: 9 }, 'day'),
    ]);
    expect(s.approvals.map((a) => a.kind)).toEqual(['task', 'delete', 'day']);
    expect(s.approvals[2]?.spent_micros).toBe(9);
    s.batch([
      event(15, 'approval:answered', { granted_micros: 5, released: 1 }, 't1'),
      event(16, 'approval:answered', { granted_micros: 5, released: 1 }, 'day'),
      event(17, 'approval:answered', {}, 'q1'),
    ]);
    expect(s.approvals).toEqual([]);
    draw();
    expect(heard).toHaveBeenCalledTimes(1);
  });

  it('takes over a role that was changed, and forgets one that has gone', () => {
    const role = { id: 'r', name: 'New', healthCheck: { status: 'checking' }, modelValidation: { status: 'unknown' } };
    s.batch([event(11, 'config:updated', role, 'r')]);
    expect(s.roles.get('r')?.name).toBe('New');
    s.batch([event(12, 'config:updated', null, 'r')]);
    expect(s.roles.has('r')).toBe(false);
  });

  it('forgets the oldest that have ended when there are too many, never one at work', () => {
    const list = Array.from({ length: 2_001 }, (_, i) =>
      agent(`n${i}`, i === 0 ? 'running' : 'completed', { outcome: 'completed' }),
    );
    s.batch(list.map((a, i) => event(11 + i, 'agent:created', a)));
    expect(s.agents.size).toBe(1_500);
    expect(s.agents.has('n0')).toBe(true);
    expect(s.agents.has('n1')).toBe(false);
    expect(s.agents.has('n2000')).toBe(true);
    expect(s.changed.has('n1')).toBe(false);
  });
});

describe('a pause', () => {
  it('holds the picture still and goes on where it stopped', () => {
    s.pause();
    s.batch([event(11, 'agent:status_update', agent('a', 'running'))]);
    s.batch([event(12, 'agent:created', agent('b', 'queued'))]);
    expect(s.agents.get('a')?.status).toBe('queued');
    expect([s.held, s.seq, s.cursor]).toEqual([2, 10, 12]);
    s.resume();
    expect(s.agents.get('a')?.status).toBe('running');
    expect([s.held, s.seq, s.paused]).toEqual([0, 12, false]);
  });
});
