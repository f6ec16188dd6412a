import type { PlanStep } from './plan.ts';

/** How things are drawn, in pixels; a step is as wide as there is room, within bounds. */
export const size = { least: 150, most: 210, height: 62, across: 44, down: 16, rim: 14 };

export interface Node {
  id: string;
  x: number;
  y: number;
}

export interface Edge {
  from: string;
  to: string;
  path: string;
}

export interface Graph {
  nodes: Node[];
  edges: Edge[];
  node: number; // the width of each
  width: number;
  height: number;
}

// A place in a column: a step, or where an edge passes by on its way to a later column.
interface Place {
  id: string;
  step: boolean;
  row: number;
  before: Place[];
  after: Place[];
}

const sweeps = 4;

/**
 * graph lays a plan out in columns: each step stands behind everything that it needs.
 * Within a column the order is the one that makes few edges cross, found by moving
 * each place towards the middle of its neighbours a few times.
 */
export function graph(steps: PlanStep[], room: number): Graph {
  const columns = arranged(steps);
  const n = Math.max(1, columns.length);
  const fit = Math.floor((room - 2 * size.rim - (n - 1) * size.across) / n);
  const node = Math.min(size.most, Math.max(size.least, fit));
  const tallest = Math.max(1, ...columns.map((c) => c.length));
  const y = (p: Place, c: Place[]) => {
    const free = tallest - c.length;
    return size.rim + (p.row + free / 2) * (size.height + size.down);
  };
  const x = (column: number) => size.rim + column * (node + size.across);
  const nodes: Node[] = [];
  const at = new Map<Place, { x: number; y: number }>();
  for (const [i, c] of columns.entries()) {
    for (const p of c) {
      const spot = { x: x(i), y: y(p, c) };
      at.set(p, spot);
      if (p.step) nodes.push({ id: p.id, ...spot });
    }
  }
  const edges: Edge[] = [];
  for (const c of columns) {
    for (const p of c) {
      if (!p.step) continue;
      for (const next of p.after) edges.push(drawn(p, next, at, node));
    }
  }
  return {
    nodes,
    edges,
    node,
    width: x(n - 1) + node + size.rim,
    height: 2 * size.rim + tallest * (size.height + size.down) - size.down,
  };
}

// drawn follows an edge through the places by which it passes, to the step where it ends.
function drawn(from: Place, first: Place, at: Map<Place, { x: number; y: number }>, node: number): Edge {
  const spot = (p: Place) => at.get(p) ?? { x: 0, y: 0 };
  let here = { x: spot(from).x + node, y: spot(from).y + size.height / 2 };
  let path = `M${here.x} ${here.y}`;
  let p: Place | undefined = first;
  let to = from.id;
  while (p) {
    const next = { x: spot(p).x, y: spot(p).y + size.height / 2 };
    const bend = (next.x - here.x) / 2;
    path += `C${here.x + bend} ${here.y} ${next.x - bend} ${next.y} ${next.x} ${next.y}`;
    if (p.step) {
      to = p.id;
      break;
    }
    here = { x: next.x + node, y: next.y };
    path += `L${here.x} ${here.y}`;
    p = p.after[0];
  }
  return { from: from.id, to, path };
}

/** depths is how many steps, one behind the other, must be done before each. */
export function depths(steps: PlanStep[]): Map<string, number> {
  const known = new Map(steps.map((s) => [s.id, s]));
  const depth = new Map<string, number>();
  const of = (id: string, above: Set<string>): number => {
    const found = depth.get(id);
    if (found !== undefined) return found;
    if (above.has(id)) return 0; // a circle: no plan of the house has one
    const needs = (known.get(id)?.needs ?? []).filter((n) => known.has(n));
    const n = needs.reduce((most, need) => Math.max(most, of(need, new Set([...above, id])) + 1), 0);
    depth.set(id, n);
    return n;
  };
  for (const s of steps) of(s.id, new Set());
  return depth;
}

function arranged(steps: PlanStep[]): Place[][] {
  const depth = depths(steps);
  const columns: Place[][] = [];
  const put = (column: number, id: string, step: boolean): Place => {
    const place: Place = { id, step, row: 0, before: [], after: [] };
    columns[column] ??= [];
    columns[column].push(place);
    return place;
  };
  const places = new Map<string, Place>();
  for (const s of steps) places.set(s.id, put(depth.get(s.id) ?? 0, s.id, true));
  for (const s of steps) {
    const to = places.get(s.id);
    for (const need of new Set(s.needs ?? [])) {
      let from = places.get(need);
      if (!from || !to) continue;
      for (let i = (depth.get(need) ?? 0) + 1; i < (depth.get(s.id) ?? 0); i++) {
        const by = put(i, `${need}→${s.id}`, false);
        tie(from, by);
        from = by;
      }
      tie(from, to);
    }
  }
  const whole = Array.from(columns, (c) => c ?? []);
  for (const c of whole) number(c);
  for (let i = 0; i < sweeps; i++) {
    for (const c of whole) settle(c, (p) => p.before);
    for (const c of whole.toReversed()) settle(c, (p) => p.after);
  }
  for (const c of whole) settle(c, (p) => p.before);
  return whole;
}

function tie(from: Place, to: Place): void {
  from.after.push(to);
  to.before.push(from);
}

function number(column: Place[]): void {
  column.forEach((p, i) => {
    p.row = i;
  });
}

function settle(column: Place[], near: (p: Place) => Place[]): void {
  const middle = new Map(
    column.map((p) => {
      const around = near(p);
      return [p, around.length > 0 ? around.reduce((n, x) => n + x.row, 0) / around.length : p.row];
    }),
  );
  column.sort((a, b) => (middle.get(a) ?? 0) - (middle.get(b) ?? 0) || a.row - b.row);
  number(column);
}
