/** One line of a bill: messages/money.go. */
export interface CostRow {
  key: string;
  turns: number;
  micros: number;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
}

export const kinds = ['day', 'role', 'model', 'task', 'persona', 'driver', 'group'] as const;

export type By = (typeof kinds)[number];

/** What a bill is measured in: money, or where nobody was paid the tokens that went through. */
export type Measure = 'money' | 'tokens';

export const measureOf = (rows: CostRow[]): Measure => (rows.some((r) => r.micros > 0) ? 'money' : 'tokens');

export const amount = (r: CostRow, m: Measure): number => (m === 'money' ? r.micros : r.input_tokens + r.output_tokens);

/** sum adds a bill up. */
export function sum(rows: CostRow[]): CostRow {
  const out = { key: '', turns: 0, micros: 0, input_tokens: 0, output_tokens: 0, cached_tokens: 0 };
  for (const r of rows) {
    out.turns += r.turns;
    out.micros += r.micros;
    out.input_tokens += r.input_tokens;
    out.output_tokens += r.output_tokens;
    out.cached_tokens += r.cached_tokens;
  }
  return out;
}

const day = 86_400_000; // ms

/** days is the bill of the last n days up to one, the oldest first; a day without a turn has its place, too. */
export function days(rows: CostRow[], last: string, n: number): CostRow[] {
  const known = new Map(rows.map((r) => [r.key, r]));
  const end = Date.parse(`${last}T00:00:00Z`);
  return Array.from({ length: n }, (_, i) => {
    const key = new Date(end - (n - 1 - i) * day).toISOString().slice(0, 10);
    return known.get(key) ?? { ...sum([]), key };
  });
}

/** top is a round figure that is no less than the most, for the end of an axis; 1 where there is nothing. */
export function top(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 2.5, 5, 10].map((n) => n * power).find((n) => n >= most) ?? most;
}
