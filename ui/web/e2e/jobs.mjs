// A house that has documents judged and tasks carried out, by players.
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { accessible, clean, look } from './browser.mjs';
import { House } from './house.mjs';
import { settled } from './play.mjs';

const scene = join(dirname(fileURLToPath(import.meta.url)), 'scene', 'jobs.toml');

/** openJobs is a house whose roles play scene/jobs.play.toml as well. */
export async function openJobs(binary) {
  const house = await House.open(binary);
  await house.stop();
  appendFileSync(join(house.project, 'kurogo.toml'), readFileSync(scene));
  await house.start();
  await house.until(
    async () => (await house.api('/roles')).roles.every((r) => r.healthCheck.status !== 'checking'),
    'the roles',
  );
  return house;
}

/** ended waits until a job has, and gives it as it is then. */
export const ended = (house, ware, id) =>
  house.until(async () => {
    const job = await house.api(`/${ware}/${id}`);
    return job.status !== 'running' && job;
  }, `the end of ${id}`);

/** proper asserts of pages what holds for all: both lights, both languages, a narrow window. */
export async function proper(browser, house, paths) {
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
export async function pictures(browser, house, folder, paths, also) {
  mkdirSync(folder, { recursive: true });
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
      await page.screenshot({ path: join(folder, `${name}${suffix}.png`) });
    }
    await page.context().close();
  }
}
