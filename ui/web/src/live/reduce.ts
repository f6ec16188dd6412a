import type { Store } from './store.ts';
import {
  type Agent,
  type AgentResult,
  type Approval,
  type Event,
  type Group,
  hasFallen,
  isFinal,
  type Member,
  type Role,
  type Task,
} from './words.ts';

/** Who hears every event as it is applied: what is not kept in the store is for them. */
export const hearers = new Set<(e: Event) => void>();

/** reduce applies one event. A type that it does not know is passed over: the house may be newer. */
export function reduce(s: Store, e: Event): void {
  for (const hear of hearers) hear(e);
  if (e.type === 'config:updated') return configured(s, e.id, e.data as Role | null | undefined);
  if (e.data === undefined || e.data === null) return;
  if (/^(evaluation|run):/.test(e.type)) return job(s, e);
  switch (e.type) {
    case 'agent:created':
    case 'agent:status_update':
    case 'agent:completed':
      return agent(s, e.data as Agent);
    case 'agent:result_reported':
      return reported(s, e.data as AgentResult);
    case 'group:created':
    case 'group:deleted': {
      const g = e.data as Group;
      s.groups.set(g.groupId, { ...s.groups.get(g.groupId), ...g });
      return s.mark('groups');
    }
    case 'task:status_update':
      return task(s, e.data as Task);
    case 'persona:status_update': {
      const m = e.data as Member;
      s.crew.set(m.name, m);
      return s.mark('crew');
    }
    case 'healthcheck:model_validation':
    case 'healthcheck:role_start':
    case 'healthcheck:role_complete':
      return role(s, e.data as Role);
    case 'healthcheck:complete':
      for (const r of (e.data as { roles?: Role[] }).roles ?? []) role(s, r);
      return;
    case 'approval:asked': {
      const asked = e.data as Approval;
      s.approvals = [...s.approvals.filter((a) => keyOf(a) !== keyOf(asked)), asked];
      return s.mark('approvals');
    }
    case 'approval:answered':
      s.approvals = s.approvals.filter((a) => keyOf(a) !== e.id);
      return s.mark('approvals');
    case 'message:parked':
      return s.mark('money'); // more may wait for the same word: whoever shows it asks
    case 'server:startup':
      s.status = { ...s.status, ...(e.data as NonNullable<Store['status']>) };
      return s.mark('status');
  }
}

function agent(s: Store, next: Agent): void {
  const before = s.agents.get(next.agentId);
  // A list carries no recent calls; an event that leaves them out takes nothing away.
  const recent = next.run.recentToolCalls ?? before?.run.recentToolCalls;
  s.agents.set(next.agentId, recent ? { ...next, run: { ...next.run, recentToolCalls: recent } } : next);
  s.mark(`agent:${next.agentId}`);
  if (before?.status !== next.status || before.waiting !== next.waiting) {
    s.changed.set(next.agentId, performance.now());
    s.mark('agents');
  }
  if (before && !isFinal(before.status) && isFinal(next.status)) {
    if (hasFallen(next)) s.ended.ill++;
    else s.ended.well++;
    s.mark('ended');
  }
}

// A report changes the state only of an agent that has ended; its own update says so.
function reported(s: Store, r: AgentResult): void {
  const a = s.agents.get(r.agentId);
  if (!a) return;
  s.agents.set(r.agentId, {
    ...a,
    run: { ...a.run, editedFiles: r.editedFiles ?? [], createdFiles: r.createdFiles ?? [] },
  });
  s.mark(`agent:${r.agentId}`);
}

// A job is read anew by whoever shows it, and its list when it stands otherwise. Who has ended asks no more.
function job(s: Store, e: Event): void {
  const [kind = '', what] = e.type.split(':');
  s.mark(`job:${e.id}`);
  if (what !== 'entry') s.mark(kind);
  if (what !== 'completed' || s.approvals.every((a) => a.job_id !== e.id)) return;
  s.approvals = s.approvals.filter((a) => a.job_id !== e.id);
  s.mark('approvals');
}

// Who asks: a job by its question, money by the root task, or by the day.
const keyOf = (a: Approval): string => a.id || a.task_id || a.kind;

// A role that was changed is told whole; one that has gone, as nothing.
function configured(s: Store, id: string, next: Role | null | undefined): void {
  if (next) s.roles.set(id, next);
  else s.roles.delete(id);
  s.mark('roles');
}

// What an agent is to do is a task, too; it is seen with the agent.
function task(s: Store, next: Task): void {
  if (next.owner.startsWith('agent:')) {
    s.mark(`task:${next.id}`);
    return s.mark(`tree:${next.root_id}`);
  }
  const before = s.tasks.get(next.id);
  s.tasks.set(next.id, next);
  s.mark(`task:${next.id}`);
  if (next.root_id !== next.id) s.mark(`tree:${next.root_id}`);
  else s.mark(`tree:${next.id}`);
  if (before?.status !== next.status) s.mark('tasks');
}

function role(s: Store, next: Role): void {
  s.roles.set(next.id, { ...s.roles.get(next.id), ...next });
  s.mark('roles');
}
