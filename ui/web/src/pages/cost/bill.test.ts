import { expect, it } from 'vitest';
import { amount, type CostRow, days, measureOf, sum, top } from './bill.ts';

const row = (key: string, micros: number, tokens = 10): CostRow => ({
  key,
  turns: 1,
  micros,
  input_tokens: tokens,
  output_tokens: 1,
  cached_tokens: 2,
});

it('measures in money as soon as any was paid', () => {
  expect(measureOf([row('a', 0), row('b', 0)])).toBe('tokens');
  expect(measureOf([row('a', 0), row('b', 5)])).toBe('money');
  expect([amount(row('a', 7), 'money'), amount(row('a', 7), 'tokens')]).toEqual([7, 11]);
});

it('adds up', () => {
  expect(sum([row('a', 1), row('b', 2)])).toEqual({
    key: '',
    turns: 2,
    micros: 3,
    input_tokens: 20,
    output_tokens: 2,
    cached_tokens: 4,
  });
});

it('gives each of the last days its place, over the end of a month', () => {
  const out = days([row('2026-03-01', 4), row('2026-02-27', 3), row('2026-01-01', 9)], '2026-03-01', 4);
  expect(out.map((r) => [r.key, r.micros])).toEqual([
    ['2026-02-26', 0],
    ['2026-02-27', 3],
    ['2026-02-28', 0],
    ['2026-03-01', 4],
  ]);
});

it('ends an axis at a round figure', () => {
  expect([0, 1, 3, 999, 1_001, 26_000].map(top)).toEqual([1, 1, 5, 1000, 2000, 50_000]);
});
