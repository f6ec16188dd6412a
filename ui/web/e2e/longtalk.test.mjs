// A talk of a thousand messages: it is open at its end, draws what is seen, and stands
// still while more of it is read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clean, look } from './browser.mjs';
import { browser, house } from './house.mjs';
import { inParlour } from './parlour.mjs';

inParlour();

const said = (page, text) => page.locator('.utterance', { hasText: text });

test('a long talk is open at its end, and stands still while more of it is read', async (t) => {
  const page = await look(browser);
  await page.goto(house.door());
  const { id } = await house.api('/sessions', {}, 'POST');
  const whole = Array.from({ length: 1_000 }, (_, i) => ({
    id: `m${String(i).padStart(4, '0')}`,
    session_id: id,
    role: i % 2 ? 'assistant' : 'user',
    content: `Utterance ${i}. ${'Many words are said here. '.repeat((i * 7) % 40)}${i % 9 === 1 ? '\n\n```\ncode\n```' : ''}`,
    created_at: new Date(Date.UTC(2026, 0, 1) + i * 60_000).toISOString(),
    fallback: false,
    status: 'logged',
  }));
  await page.route(new RegExp(`/api/sessions/${id}\\?`), async (route) => {
    const before = new URL(route.request().url()).searchParams.get('before');
    const end = before ? whole.findIndex((m) => m.id === before) : whole.length;
    const from = Math.max(0, end - 500);
    const session = { id, title: 'Long', created_at: '', updated_at: '', last_activity_at: '' };
    await route.fulfill({
      json: { ok: true, data: { ...session, messages: whole.slice(from, end), more: from > 0 }, error: null },
    });
  });
  await page.goto(`${house.url}/chat/${id}`);
  await said(page, 'Utterance 999.').waitFor();
  const box = page.locator('.thread .scroll');
  const fromEnd = () => box.evaluate((b) => Math.round(b.scrollHeight - b.scrollTop - b.clientHeight));
  await house.until(async () => (await fromEnd()) <= 2, 'the end to be in sight');
  const drawn = () => page.locator('.utterance').count();
  assert.ok((await drawn()) < 60, 'everything is drawn');

  // Up through all of it. What is seen at the top stays there while a page is put before it.
  await box.hover();
  await page.evaluate(() => {
    const b = document.querySelector('.thread .scroll');
    window.frames_ = [];
    window.jumps = 0;
    let last = performance.now();
    let seen = new Map();
    const tops = () =>
      new Map(
        [...b.querySelectorAll('.utter')].map((u) => [
          u.querySelector('.md, .text')?.textContent.match(/Utterance (\d+)/)?.[1],
          u.getBoundingClientRect().top,
        ]),
      );
    const frame = (now) => {
      window.frames_.push(now - last);
      last = now;
      const next = tops();
      // Between two frames everything that stays moves alike: by the wheel, nothing else.
      const moved = [...next].filter(([k]) => seen.has(k)).map(([k, y]) => Math.round(y - seen.get(k)));
      if (moved.length > 1 && moved.some((m) => m < -40)) window.jumps++; // the wheel turns up: nothing moves up
      seen = next;
      if (!window.done_) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await house.until(
    async () => {
      await page.mouse.wheel(0, -900);
      return (await said(page, 'Utterance 0.').count()) > 0;
    },
    'the beginning of the talk',
    60_000,
  );
  const { frames, jumps } = await page.evaluate(() => {
    window.done_ = true;
    return { frames: window.frames_, jumps: window.jumps };
  });
  frames.sort((a, b) => a - b);
  const sum = frames.reduce((a, b) => a + b, 0);
  t.diagnostic(
    `1,000 messages: ${((frames.length / sum) * 1000).toFixed(1)} frames a second while scrolling, p95 ${frames[Math.floor(frames.length * 0.95)]?.toFixed(0)} ms`,
  );
  assert.equal(jumps, 0, 'what is looked at has jumped');
  assert.ok((await drawn()) < 60, 'everything is drawn');

  // Back to the end in one step.
  await page.getByRole('button', { name: 'To the end' }).click();
  await house.until(async () => (await fromEnd()) <= 2, 'the end to be in sight');
  await page.getByRole('button', { name: 'To the end' }).waitFor({ state: 'detached' });
  clean(page);
});
