// A browser that notices what a person would not: errors on the console, requests
// to other hosts, and what axe finds.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** screens is the folder in which pictures are kept; without it, none are. */
export const screens = process.env.E2E_SCREENS;

/** pictured is of a test that only takes pictures. */
export const pictured = { skip: screens ? false : 'E2E_SCREENS names no folder' };

export async function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}

/** look opens a page that keeps what went wrong in page.wrong; expected is what may be said on the console. */
export async function look(browser, { theme, lang, width = 1440, height = 900, expected = [] } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, locale: 'en-GB' });
  const page = await context.newPage();
  page.wrong = [];
  page.on('console', (m) => {
    if (['error', 'warning'].includes(m.type()) && !expected.some((e) => e.test(m.text()))) page.wrong.push(m.text());
  });
  page.on('pageerror', (e) => page.wrong.push(e.stack ?? e.message));
  page.on('request', (r) => {
    const url = new URL(r.url());
    if (!['127.0.0.1', ''].includes(url.hostname)) page.wrong.push(`asked ${url.host}`);
  });
  if (theme || lang) {
    await page.addInitScript((memory) => localStorage.setItem('kurogo', JSON.stringify(memory)), {
      ...(theme ? { theme } : {}),
      ...(lang ? { lang } : {}),
    });
  }
  return page;
}

/** clean asserts that nothing went wrong on a page so far. */
export function clean(page) {
  assert.deepEqual(page.wrong, []);
}

/** accessible asserts that axe finds nothing. The page's policy forbids scripts from outside, so it is evaluated. */
export async function accessible(page, name) {
  await page.evaluate(axe);
  const found = await page.evaluate(async (tags) => {
    const { violations } = await window.axe.run(document, { runOnly: tags });
    return violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`);
  }, rules);
  assert.deepEqual(found, [], `axe on ${name}`);
}
