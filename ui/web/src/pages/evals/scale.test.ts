import { describe, expect, it } from 'vitest';
import { best, type Round, worstFirst } from './evaluation.ts';
import { figure, linear, nearest, path, spread, ticks } from './scale.ts';

describe('an axis', () => {
  it('puts a figure where it belongs, also upside down', () => {
    const y = linear([0, 10], [200, 0]);
    expect([y(0), y(8), y(10)]).toEqual([200, 40, 0]);
  });
  it('puts a single round into the middle', () => {
    expect(linear([1, 1], [0, 100])(1)).toBe(50);
  });
  it.each([
    [1, 8, [1]],
    [2, 8, [1, 2]],
    [5, 8, [1, 2, 3, 4, 5]],
    [12, 8, [1, 2, 4, 6, 8, 10, 12]],
    [200, 8, [1, 50, 100, 150, 200]],
    [51, 8, [1, 10, 20, 30, 40, 51]],
  ])('counts %i rounds in steps', (n, most, want) => {
    expect(ticks(n, most)).toEqual(want);
  });
  it('never has more marks than there is room', () => {
    for (let n = 1; n <= 300; n++) {
      const all = ticks(n, 8);
      expect(all.length).toBeLessThanOrEqual(9);
      expect([all[0], all.at(-1)]).toEqual([1, n]);
      expect(all).toEqual([...new Set(all)].sort((a, b) => a - b));
    }
  });
});

it('joins points to a line', () => {
  expect(
    path([
      [0, 10],
      [5.55, 2.04],
    ]),
  ).toBe('M0.0 10.0L5.5 2.0'.replace('5.5', (5.55).toFixed(1)));
  expect(path([])).toBe('');
});

describe('labels', () => {
  it('stay where they are when there is room', () => {
    expect(spread([90, 10, 50], 14, [0, 100])).toEqual([90, 10, 50]);
  });
  it('keep their order and their distance when there is not', () => {
    const out = spread([50, 51, 52, 99], 14, [0, 100]);
    const [a = 0, b = 0, c = 0, d = 0] = out;
    expect(b - a).toBeGreaterThanOrEqual(14);
    expect(c - b).toBeGreaterThanOrEqual(14);
    expect(d - c).toBeGreaterThanOrEqual(14);
    expect(Math.max(...out)).toBeLessThanOrEqual(100);
    expect(Math.min(...out)).toBeGreaterThanOrEqual(0);
  });
});

it('finds what is near', () => {
  expect(nearest([0, 10, 20], 14)).toBe(1);
  expect(nearest([0, 10, 20], 900)).toBe(2);
});

it('says a score with one decimal', () => {
  expect([figure(8), figure(7.25)]).toEqual(['8.0', (7.25).toFixed(1)]);
});

const round = (number: number, score: number): Round => ({
  number,
  version: number - 1,
  model_used: 'm',
  evaluation_time: 1,
  verdict: {
    score,
    said: score,
    suggestions: null,
    rubric_scores: { completeness: 9, accuracy: 4, clarity: 6, usability: 4 },
  },
});

describe('an evaluation', () => {
  it('has the first of its highest rounds as its best, as the house has', () => {
    expect(best([round(1, 6), round(2, 8), round(3, 8)])?.number).toBe(2);
    expect(best([])).toBeUndefined();
  });
  it('names what is worst first, in the order of the rubric where equal', () => {
    expect(worstFirst(round(1, 6).verdict.rubric_scores)).toEqual(['accuracy', 'usability', 'clarity', 'completeness']);
  });
});
