import { get } from '../../live/rest.ts';
import { type Agent, type Group, outcomeOf, type Past } from '../../live/words.ts';

/** What is looked for; the address has the same names. */
export interface Wanted {
  group?: string;
  status?: string;
  role?: string;
  q?: string;
  by?: string; // group, role, status
  sort?: string; // when, duration, tools, role, status; a minus turns it round
}

export type PastRow = { kind: 'head'; key: string; name: string; n: number } | { kind: 'agent'; key: string; a: Agent };

export const pageSize = 100;
const exportSize = 500; // of a page when everything is taken away

export const durationOf = (a: Agent): number =>
  a.startedAt && a.endedAt ? Date.parse(a.endedAt) - Date.parse(a.startedAt) : 0;

/** pathOf is where a page of the history is: the journal filters and sorts, so that nothing is left out. */
export function pathOf(w: Wanted, offset: number, until: number, limit = pageSize): string {
  const q = new URLSearchParams();
  const put = (name: string, value: string | number | undefined) => {
    if (value) q.set(name, String(value));
  };
  put('group', w.group);
  put('role', w.role);
  put('status', w.status);
  put('find', w.q?.trim());
  put('sort', w.by ? `-${w.by}` : w.sort); // who makes heaps wants each of them in one piece
  put('offset', offset);
  put('until', until);
  put('limit', limit);
  return `/history?${q}`;
}

/** joined puts pages together. An agent that moved between two of them is there once. */
export function joined(pages: Past[]): { agents: Agent[]; groups: Map<string, Group>; total: number } {
  const agents = new Map<string, Agent>();
  const groups = new Map<string, Group>();
  for (const p of pages) {
    for (const a of p.agents) if (!agents.has(a.agentId)) agents.set(a.agentId, a);
    for (const g of p.groups) groups.set(g.groupId, g);
  }
  return { agents: [...agents.values()], groups, total: pages[0]?.total ?? 0 };
}

/** heaps puts rows below the heads of what they have in common, in the order in which they came. */
export function heaps(found: Agent[], groups: ReadonlyMap<string, Group>, by: string | undefined): PastRow[] {
  const name =
    by === 'group'
      ? (a: Agent) => groups.get(a.groupId)?.description || a.groupId
      : by === 'role'
        ? (a: Agent) => a.role
        : by === 'status'
          ? (a: Agent) => outcomeOf(a)
          : null;
  if (!name) return found.map((a) => ({ kind: 'agent', key: a.agentId, a }));
  const all = new Map<string, Agent[]>();
  for (const a of found) {
    // Two groups may have one description: they are two heaps with one name.
    const id = by === 'group' ? a.groupId : name(a);
    const heap = all.get(id);
    if (heap) heap.push(a);
    else all.set(id, [a]);
  }
  return [...all].flatMap(([id, heap]): PastRow[] => [
    { kind: 'head', key: `h${id}`, name: name(heap[0] as Agent), n: heap.length },
    ...heap.map((a): PastRow => ({ kind: 'agent', key: a.agentId, a })),
  ]);
}

/** everything reads all that is found, a page after the other. */
export async function everything(w: Wanted, told: (n: number, of: number) => void) {
  const pages: Past[] = [];
  for (let n = 0, total = 1, until = 0; n < total; ) {
    const page = await get<Past>(pathOf(w, n, until, exportSize));
    if (page.agents.length === 0) break;
    pages.push(page);
    n += page.agents.length;
    total = page.total;
    until = page.until;
    told(n, total);
  }
  return joined(pages);
}

/** recordOf is what is told of an agent that is taken away: the document's columns, and what they come from. */
export function recordOf(a: Agent, groups: ReadonlyMap<string, Group>) {
  return {
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
    costMicros: a.run.costMicros ?? 0,
    queuedAt: a.queuedAt,
    startedAt: a.startedAt ?? null,
    endedAt: a.endedAt ?? null,
    rehearsal: a.rehearsal,
  };
}

type Cell = ReturnType<typeof recordOf>[keyof ReturnType<typeof recordOf>];

// A cell that a spreadsheet would take for a formula is made a text.
function cell(v: Cell): string {
  let text = v === null ? '' : Array.isArray(v) ? v.join('\n') : String(v);
  if (/^[=+\-@\t\r]/.test(text) && typeof v !== 'number') text = `'${text}`;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** csv is the table as spreadsheets read it (RFC 4180). */
export function csv(found: Agent[], groups: ReadonlyMap<string, Group>): string {
  const records = found.map((a) => recordOf(a, groups));
  const head = records[0] ? Object.keys(records[0]) : [];
  return [head, ...records.map((r) => Object.values(r).map(cell))].map((row) => `${row.join(',')}\r\n`).join('');
}

/** json is the same as one list. */
export const json = (found: Agent[], groups: ReadonlyMap<string, Group>): string =>
  `${JSON.stringify(
    found.map((a) => recordOf(a, groups)),
    null,
    2,
  )}\n`;
