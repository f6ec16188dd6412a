import type { Store } from '../../live/store.ts';
import { type Agent, type AgentStatus, type Group, hasFallen, isFinal } from '../../live/words.ts';

/** What is to be seen of the stage. */
export interface View {
  status?: string; // running, queued, done, fallen, or nothing
  q?: string;
  table: boolean;
  columns: number;
  folded: ReadonlySet<string>;
}

export type Counts = Partial<Record<AgentStatus, number>>;

export interface Section {
  id: string;
  group: Group | null; // null: agents whose group is not known here
  counts: Counts;
  total: number;
  shown: number;
}

/** The stage as a list of rows of known kinds: what is far away is not drawn. */
export type Row =
  | { kind: 'head'; key: string; section: Section; folded: boolean }
  | { kind: 'columns'; key: string }
  | { kind: 'cards'; key: string; ids: string[] }
  | { kind: 'line'; key: string; id: string }
  | { kind: 'note'; key: string; section: Section };

export interface Layout {
  rows: Row[];
  filters: Record<Filter, number>;
  total: number;
  shown: number;
}

export const filters = ['running', 'queued', 'done', 'fallen'] as const;
export type Filter = (typeof filters)[number];

/** The one filter that an agent is found by. */
export function filterOf(a: Agent): Filter {
  if (!isFinal(a.status)) return a.status === 'running' ? 'running' : 'queued';
  return hasFallen(a) ? 'fallen' : 'done';
}

function matches(a: Agent, group: Group | null, words: string[]): boolean {
  if (words.length === 0) return true;
  const text = [
    a.agentId,
    a.groupId,
    group?.description,
    a.role,
    a.driver,
    a.model,
    a.status,
    a.run.lastAssistantMessage,
    a.prompt,
  ]
    .join('\n')
    .toLowerCase();
  return words.every((w) => text.includes(w));
}

const byBirth = (a: Agent, b: Agent) =>
  a.queuedAt < b.queuedAt ? -1 : a.queuedAt > b.queuedAt ? 1 : a.agentId < b.agentId ? -1 : 1;

/** lay puts groups below each other, the newest first, and agents in the order in which they were asked for. */
export function lay(s: Pick<Store, 'agents' | 'groups'>, view: View): Layout {
  const members = new Map<string, Agent[]>();
  for (const a of s.agents.values()) {
    const id = s.groups.has(a.groupId) ? a.groupId : '';
    if (s.groups.get(id)?.status === 'deleted') continue;
    const list = members.get(id);
    if (list) list.push(a);
    else members.set(id, [a]);
  }
  const words = (view.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const counted: Record<Filter, number> = { running: 0, queued: 0, done: 0, fallen: 0 };
  const layout: Layout = { rows: [], filters: counted, total: 0, shown: 0 };
  const groups = [...s.groups.values()].filter((g) => g.status === 'active');
  groups.sort((a, b) =>
    a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : a.groupId < b.groupId ? 1 : -1,
  );
  const searching = words.length > 0 || view.status !== undefined;
  for (const group of [...groups, null]) {
    const all = (members.get(group?.groupId ?? '') ?? []).sort(byBirth);
    if (all.length === 0 && (group === null || searching)) continue;
    const section: Section = { id: group?.groupId ?? '', group, counts: {}, total: all.length, shown: 0 };
    const ids: string[] = [];
    for (const a of all) {
      section.counts[a.status] = (section.counts[a.status] ?? 0) + 1;
      const filter = filterOf(a);
      counted[filter]++;
      if ((view.status === undefined || view.status === filter) && matches(a, group, words)) ids.push(a.agentId);
    }
    layout.total += all.length;
    section.shown = ids.length;
    layout.shown += ids.length;
    if (searching && ids.length === 0) continue;
    put(layout.rows, section, ids, view);
  }
  return layout;
}

function put(rows: Row[], section: Section, ids: string[], view: View): void {
  const folded = view.folded.has(section.id);
  rows.push({ kind: 'head', key: `h${section.id}`, section, folded });
  if (folded) return;
  if (ids.length === 0) {
    rows.push({ kind: 'note', key: `n${section.id}`, section });
    return;
  }
  if (view.table) {
    rows.push({ kind: 'columns', key: `t${section.id}` });
    for (const id of ids) rows.push({ kind: 'line', key: id, id });
    return;
  }
  for (let i = 0; i < ids.length; i += view.columns) {
    const slice = ids.slice(i, i + view.columns);
    rows.push({ kind: 'cards', key: `c${slice[0]}`, ids: slice });
  }
}

export const heights: Record<Row['kind'], number> = { head: 58, columns: 30, cards: 144, line: 42, note: 44 };
