// What charts are made of: where a figure is on an axis, and where words beside it find room.

/** linear maps a span of figures onto a span of pixels. A span without extent maps onto its middle. */
export function linear([a, b]: [number, number], [from, to]: [number, number]): (n: number) => number {
  if (a === b) return () => (from + to) / 2;
  return (n) => from + ((n - a) / (b - a)) * (to - from);
}

/** path joins points to a line. */
export const path = (points: [number, number][]): string =>
  points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

/** ticks are whole numbers from 1 to n, at most so many, in steps that a person counts in; n is always there. */
export function ticks(n: number, most: number): number[] {
  const steps = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000];
  const step = steps.find((s) => n / s <= most - 1) ?? Math.ceil(n / (most - 1));
  const out = [1];
  for (let i = step; i < n; i += step) if (i > 1) out.push(i);
  if (n > 1) {
    if (out.length > 1 && n - (out.at(-1) ?? 0) < step / 2) out.pop(); // too near the end to be read
    out.push(n);
  }
  return out;
}

/** spread moves labels apart until none is nearer to another than gap, each as little as it can be. */
export function spread(wanted: number[], gap: number, [low, high]: [number, number]): number[] {
  const order = wanted.map((y, i) => ({ y, i })).sort((a, b) => a.y - b.y);
  let floor = low;
  for (const o of order) {
    o.y = Math.max(o.y, floor);
    floor = o.y + gap;
  }
  let ceiling = high;
  for (const o of order.toReversed()) {
    o.y = Math.min(o.y, ceiling);
    ceiling = o.y - gap;
  }
  const out = [...wanted];
  for (const o of order) out[o.i] = o.y;
  return out;
}

/** nearest is the index of the figure that is closest to one. */
export function nearest(all: number[], to: number): number {
  let best = 0;
  for (const [i, n] of all.entries()) if (Math.abs(n - to) < Math.abs((all[best] ?? 0) - to)) best = i;
  return best;
}

/** figure is a score as it is said: one decimal, whatever the language. */
export const figure = (n: number): string => n.toFixed(1);
