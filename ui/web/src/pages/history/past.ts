import { type Agent, type Group, outcomeOf } from '../../live/words.ts';

export interface Wanted {
  group?: string;
  status?: string;
  role?: string;
  q?: string;
  by?: string; // group, role, status
  sort?: string; // ended, duration, tools; a minus turns it round
}

export type PastRow = { kind: 'head'; key: string; name: string; n: number } | { kind: 'agent'; key: string; a: Agent };

export const durationOf = (a: Agent): number =>
  a.startedAt && a.endedAt ? Date.parse(a.endedAt) - Date.parse(a.startedAt) : 0;

const keys: Record<string, (a: Agent) => number | string> = {
  when: (a) => a.queuedAt,
  duration: durationOf,
  tools: (a) => a.run.toolCallCount,
  role: (a) => a.role,
  status: outcomeOf,
};

/** past is what has been run, filtered, sorted and put into heaps. */
export function past(
  agents: Iterable<Agent>,
  groups: ReadonlyMap<string, Group>,
  w: Wanted,
): { rows: PastRow[]; found: Agent[] } {
  const words = (w.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const found = [...agents].filter((a) => {
    if (w.group && a.groupId !== w.group) return false;
    if (w.role && a.role !== w.role) return false;
    if (w.status && outcomeOf(a) !== w.status && a.status !== w.status) return false;
    if (words.length === 0) return true;
    const text = [
      a.agentId,
      a.groupId,
      groups.get(a.groupId)?.description,
      a.role,
      a.model,
      a.prompt,
      a.run.lastAssistantMessage,
      a.run.error,
    ]
      .join('\n')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const sort = w.sort ?? '-when';
  const key = keys[sort.replace('-', '')] ?? ((a: Agent) => a.queuedAt);
  const turn = sort.startsWith('-') ? -1 : 1;
  found.sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    return (x < y ? -1 : x > y ? 1 : a.agentId < b.agentId ? -1 : 1) * turn;
  });
  const heapOf =
    w.by === 'group'
      ? (a: Agent) => groups.get(a.groupId)?.description || a.groupId
      : w.by === 'role'
        ? (a: Agent) => a.role
        : w.by === 'status'
          ? (a: Agent) => outcomeOf(a)
          : null;
  if (!heapOf) return { found, rows: found.map((a) => ({ kind: 'agent', key: a.agentId, a })) };
  const heaps = new Map<string, Agent[]>();
  for (const a of found) {
    // Two groups may have one description: they are two heaps with one name.
    const id = w.by === 'group' ? a.groupId : heapOf(a);
    const heap = heaps.get(id);
    if (heap) heap.push(a);
    else heaps.set(id, [a]);
  }
  const rows: PastRow[] = [];
  for (const [id, heap] of heaps) {
    const first = heap[0];
    if (!first) continue;
    rows.push({ kind: 'head', key: `h${id}`, name: heapOf(first), n: heap.length });
    for (const a of heap) rows.push({ kind: 'agent', key: a.agentId, a });
  }
  return { rows, found };
}

/** lines is what is exported: one agent a line. */
export function lines(found: Agent[], groups: ReadonlyMap<string, Group>): string {
  return found
    .map((a) =>
      JSON.stringify({
        agentId: a.agentId,
        groupId: a.groupId,
        groupDescription: groups.get(a.groupId)?.description ?? null,
        role: a.role,
        driver: a.driver,
        model: a.model,
        status: a.status,
        outcome: a.outcome ?? null,
        summary: a.run.lastAssistantMessage,
        errorMessage: a.run.error ?? null,
        duration_ms: durationOf(a),
        editedFiles: a.run.editedFiles ?? [],
        createdFiles: a.run.createdFiles ?? [],
        toolCallCount: a.run.toolCallCount,
        queuedAt: a.queuedAt,
        startedAt: a.startedAt ?? null,
        endedAt: a.endedAt ?? null,
        rehearsal: a.rehearsal,
      }),
    )
    .join('\n')
    .concat(found.length > 0 ? '\n' : '');
}
