import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { paced } from './paced.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('reads once for many words, and once more for what was said meanwhile', async () => {
  let answer = () => {};
  const read = vi.fn(
    () =>
      new Promise<void>((done) => {
        answer = done;
      }),
  );
  const p = paced(read, 100);
  p.tell();
  p.tell();
  expect(read).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(100);
  expect(read).toHaveBeenCalledTimes(1);
  p.tell();
  p.tell();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(read).toHaveBeenCalledTimes(1); // the first has no answer yet
  answer();
  await vi.advanceTimersByTimeAsync(100);
  expect(read).toHaveBeenCalledTimes(2);
  answer();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(read).toHaveBeenCalledTimes(2);
});

it('goes on after a refusal, and not after the end', async () => {
  const read = vi.fn(() => Promise.reject(new Error('busy')));
  const p = paced(read, 100);
  p.tell();
  await vi.advanceTimersByTimeAsync(100);
  p.tell();
  await vi.advanceTimersByTimeAsync(100);
  expect(read).toHaveBeenCalledTimes(2);
  p.tell();
  p.stop();
  p.tell();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(read).toHaveBeenCalledTimes(2);
});
