import { expect, it } from 'vitest';
import { parts, placeOf } from './wire.ts';

it('puts passages into the order of their file, each line once', () => {
  const chunk = (span: string, text: string) => ({ path: 'a', span, text, score: 1 });
  expect(parts([chunk('L10-L11', 'j\nk\n'), chunk('L1-L2', 'a\nb'), chunk('L2-L3', 'B\nc'), chunk('x', 'no')])).toEqual(
    [
      { first: 1, lines: ['a', 'b', 'c'] },
      { first: 10, lines: ['j', 'k'] },
    ],
  );
  expect(parts([])).toEqual([]);
});

it('takes a place apart', () => {
  expect(placeOf('a/b.go#L3-L9')).toEqual({ path: 'a/b.go', range: [3, 9] });
  expect(placeOf('a/b.go#L3')).toEqual({ path: 'a/b.go', range: [3, 3] });
  expect(placeOf('notes#1.md')).toEqual({ path: 'notes#1.md', range: null });
  expect(placeOf('plain')).toEqual({ path: 'plain', range: null });
});
