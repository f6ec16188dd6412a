import { expect, it } from 'vitest';
import { bars } from './bars.ts';

const t = (ms: number) => new Date(Date.parse('2026-11-21T13:00:00.000Z') + ms).toISOString();
const call = (callId: string, from: number, to?: number) => ({
  callId,
  type: 'Read',
  subtype: to === undefined ? 'started' : 'completed',
  args: '{}',
  startedAt: t(from),
  ...(to === undefined ? {} : { endedAt: t(to) }),
});

it('lays them on one axis', () => {
  const [a, b] = bars([call('a', 1000, 2000), call('b', 2000, 5000)], Date.parse(t(0)), Date.parse(t(9000)));
  expect(a).toMatchObject({ left: 0, width: 25, took: 1000, after: 1000, open: false });
  expect(b).toMatchObject({ left: 25, width: 75, took: 3000 });
});

it('lets what is on grow with the time, and shows what took none', () => {
  const [a, b] = bars([call('a', 0, 0), call('b', 0)], Number.NaN, Date.parse(t(4000)));
  expect(a?.width).toBeGreaterThan(0);
  expect(b).toMatchObject({ took: 4000, width: 100, left: 0, open: true, after: 0 });
});

it('keeps the last bar inside', () => {
  const [, b] = bars([call('a', 0, 1000), call('b', 1000, 1000)], 0, 0);
  expect((b?.left ?? 0) + (b?.width ?? 0)).toBeLessThanOrEqual(100);
});
