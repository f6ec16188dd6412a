import { describe, expect, it } from 'vitest';
import { depths, graph, size } from './graph.ts';
import type { PlanStep } from './plan.ts';

const step = (id: string, ...needs: string[]): PlanStep => ({
  id,
  title: id,
  needs,
  files: null,
  instructions: '',
  acceptance: '',
  verify: null,
});

describe('the columns', () => {
  it('put a step behind everything that it needs', () => {
    const d = depths([step('d', 'b', 'c'), step('a'), step('b', 'a'), step('c', 'b')]);
    expect(Object.fromEntries(d)).toEqual({ a: 0, b: 1, c: 2, d: 3 });
  });
  it('end in a circle, and pass over what is not there', () => {
    expect(depths([step('a', 'b', 'ghost'), step('b', 'a')]).size).toBe(2);
  });
});

describe('the picture', () => {
  it('fills the room that there is, as long as a step can be read', () => {
    const steps = [step('a'), step('b', 'a'), step('c', 'b'), step('d', 'c')];
    expect(graph(steps, 800).width).toBeLessThanOrEqual(800);
    expect(graph(steps, 800).node).toBeGreaterThan(size.least);
    expect(graph(steps, 320).node).toBe(size.least);
    expect(graph(steps.slice(0, 1), 800).node).toBe(size.most);
  });

  it('is nothing for nothing', () => {
    expect(graph([], 800)).toMatchObject({ nodes: [], edges: [] });
  });

  it('has every step once, and no two of them overlap', () => {
    const steps = Array.from({ length: 50 }, (_, i) =>
      step(
        `s${i}`,
        ...[i - 1, i - 3, Math.floor(i / 2)].filter((n) => n >= 0 && n < i && i % 4 !== 0).map((n) => `s${n}`),
      ),
    );
    const g = graph(steps, 800);
    expect(new Set(g.nodes.map((n) => n.id)).size).toBe(50);
    for (const a of g.nodes) {
      expect(a.x + g.node).toBeLessThanOrEqual(g.width);
      expect(a.y + size.height).toBeLessThanOrEqual(g.height);
      for (const b of g.nodes) {
        if (a === b) continue;
        expect(a.x !== b.x || Math.abs(a.y - b.y) >= size.height + size.down).toBe(true);
      }
    }
  });

  it('draws an edge for each need, from left to right, ending at its step', () => {
    const steps = [step('a'), step('b', 'a'), step('c', 'b'), step('d', 'a', 'c')];
    const g = graph(steps, 800);
    expect(g.edges.map((e) => `${e.from} ${e.to}`).sort()).toEqual(['a b', 'a d', 'b c', 'c d']);
    const spot = new Map(g.nodes.map((n) => [n.id, n]));
    for (const e of g.edges) {
      const from = spot.get(e.from);
      const to = spot.get(e.to);
      if (!from || !to) throw new Error('an edge without ends');
      expect(from.x).toBeLessThan(to.x);
      expect(e.path.startsWith(`M${from.x + g.node} ${from.y + size.height / 2}`)).toBe(true);
      expect(e.path.endsWith(`${to.x} ${to.y + size.height / 2}`)).toBe(true);
    }
  });

  it('leads a long edge past the steps between, and uncrosses what can be', () => {
    const g = graph([step('a'), step('b', 'a'), step('c', 'b'), step('z', 'a', 'c')], 800);
    const long = g.edges.find((e) => e.from === 'a' && e.to === 'z');
    expect(long?.path.match(/L/g)).toHaveLength(2); // straight through two columns
    const rows = (id: string) => g.nodes.find((n) => n.id === id)?.y ?? 0;
    const crossed = graph([step('p'), step('q'), step('y', 'q'), step('x', 'p')], 800);
    const y = (id: string) => crossed.nodes.find((n) => n.id === id)?.y ?? 0;
    expect(y('p') < y('q')).toBe(y('x') < y('y'));
    expect(rows('b')).toBe(rows('c'));
  });
});
