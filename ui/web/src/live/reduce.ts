import type { Store } from './store.ts';
import {
  type Agent,
  type AgentResult,
  type Event,
  type Group,
  hasFallen,
  isFinal,
  type Member,
  type Role,
  type Task,
} from './words.ts';

/** reduce applies one event. A type that it does not know is passed over: the house may be newer. */
export function reduce(s: Store, e: Event): void {
  if (e.data === undefined || e.data === null) return;
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
    case 'message:parked':
      return s.mark('money'); // there may be something to approve: whoever shows it asks
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

function task(s: Store, next: Task): void {
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
