// A house that has documents judged and tasks carried out, by players.
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { accessible, clean, look, screens } from './browser.mjs';
import { browser, House, house, inHouse } from './house.mjs';
import { rolesKnown, settled } from './play.mjs';

const scene = join(dirname(fileURLToPath(import.meta.url)), 'scene', 'jobs.toml');

// A house whose roles play scene/jobs.play.toml as well.
async function open() {
  const h = await House.open();
  await h.stop();
  appendFileSync(join(h.project, 'kurogo.toml'), readFileSync(scene));
  await h.start();
  await rolesKnown(h);
  return h;
}

export let page;

/** withJobs has the tests of a file begin on a page of such a house; expected is what may be said on the console. */
export function withJobs(expected) {
  inHouse({
    open,
    begin: async () => {
      page = await look(browser, { expected });
      await page.goto(house.door());
      await settled(page);
    },
  });
}

/** idOf is the id of what the page is about. */
export const idOf = () => new URL(page.url()).pathname.split('/').at(-1);

/** ended waits until a job has, and gives it as it is then. */
export const ended = (ware, id) =>
  house.until(async () => {
    const job = await house.api(`/${ware}/${id}`);
    return job.status !== 'running' && job;
  }, `the end of ${id}`);

/** proper asserts of pages what holds for all: both lights, both languages, a narrow window. */
export async function proper(paths) {
  for (const [theme, lang] of [
    ['dark', 'en'],
    ['light', 'ja'],
  ]) {
    const page = await look(browser, { theme, lang, expected: [/404/] });
    await page.goto(house.door());
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(house.url + path);
      await settled(page);
      await accessible(page, `${name} ${theme} ${lang}`);
      clean(page);
    }
    await page.context().close();
  }
  const narrow = await look(browser, { width: 360, height: 740, expected: [/404/] });
  await narrow.emulateMedia({ reducedMotion: 'reduce' });
  await narrow.goto(house.door());
  for (const [name, path] of Object.entries(paths)) {
    await narrow.goto(house.url + path);
    await settled(narrow);
    assert.equal(await narrow.evaluate(() => document.documentElement.scrollWidth), 360, `${name} is too wide`);
    assert.equal(await narrow.evaluate(() => document.getAnimations().length), 0, `${name} moves`);
  }
  clean(narrow);
  await narrow.context().close();
}

/** pictures keeps how pages look, some of them in the other light and language, too. */
export async function pictures(paths, also) {
  mkdirSync(screens, { recursive: true });
  for (const [options, suffix, names] of [
    [{ theme: 'dark', lang: 'en' }, '', Object.keys(paths)],
    [{ theme: 'light', lang: 'ja' }, '.ja', also],
  ]) {
    const page = await look(browser, options);
    await page.goto(house.door());
    for (const name of names) {
      await page.goto(house.url + paths[name]);
      await settled(page);
      await page.waitForTimeout(400); // what arrives has arrived
      await page.screenshot({ path: join(screens, `${name}${suffix}.png`) });
    }
    await page.context().close();
  }
}
