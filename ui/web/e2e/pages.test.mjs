// Every page, in both languages and both lights: nothing goes wrong, axe finds
// nothing, and nothing sticks out of a narrow window.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessible, clean, look, pictured, screens } from './browser.mjs';
import { browser, house, inHouse } from './house.mjs';
import { pages, play, settled } from './play.mjs';

let scene;

inHouse({
  begin: async () => {
    scene = await play(house);
    if (screens) mkdirSync(screens, { recursive: true });
  },
});

const notFound = [/404/]; // the page of an agent that there is none of asks for it

for (const [theme, lang] of [
  ['dark', 'en'],
  ['light', 'ja'],
]) {
  test(`every page is accessible, ${theme} and in ${lang}`, async () => {
    const page = await look(browser, { theme, lang, expected: notFound });
    await page.goto(house.door());
    for (const [name, path] of Object.entries(pages(scene))) {
      await page.goto(house.url + path);
      await settled(page);
      await accessible(page, `${name} ${theme} ${lang}`);
      clean(page);
      assert.equal(await page.evaluate(() => document.documentElement.lang), lang);
    }
  });
}

test('dialogs are accessible', async () => {
  const page = await look(browser);
  await page.goto(house.door());
  await settled(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('mend');
  await page.getByRole('option', { name: /Mend the curtain/ }).waitFor();
  await accessible(page, 'the palette');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/groups\//);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await accessible(page, 'the sheet of keys');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Run agent' }).click();
  await accessible(page, 'the form of an agent');
  clean(page);
});

test('a keyboard is enough', async () => {
  const page = await look(browser);
  await page.goto(house.door());
  await settled(page);
  for (const [keys, path] of [
    ['g t', '/tasks'],
    ['g h', '/history'],
    ['g r', '/roles'],
    ['g s', '/'],
  ]) {
    for (const key of keys.split(' ')) await page.keyboard.press(key);
    await page.waitForURL(house.url + path);
  }
  await page.keyboard.press('/');
  await page.keyboard.type('gtj wide'); // in a field, letters are letters
  assert.equal(await page.getByPlaceholder('Search agents').inputValue(), 'gtj wide');
  await page.getByPlaceholder('Search agents').fill(scene.mended.agentId);
  await page.locator('a.agent').first().waitFor();
  await page.evaluate(() => document.activeElement.blur());
  await house.until(async () => {
    await page.keyboard.press('j');
    return page.evaluate(() => document.activeElement.classList.contains('agent'));
  }, 'the focus to reach the card');
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(scene.mended.agentId));
  await page.getByRole('tab', { name: 'Result' }).focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.getByRole('tab', { name: 'Raw stream' }).getAttribute('aria-selected'), 'true');
  clean(page);
});

test('360 pixels are enough', async () => {
  const page = await look(browser, { width: 360, height: 740, expected: notFound });
  await page.goto(house.door());
  for (const [name, path] of Object.entries(pages(scene))) {
    await page.goto(house.url + path);
    await settled(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, name);
  }
  await page.goto(house.url);
  await page.locator('.menu').click();
  await page.getByRole('link', { name: 'Health' }).click();
  await page.waitForURL(/health/);
  clean(page);
});

test('who wants no motion has none', async () => {
  const page = await look(browser);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(house.door());
  await settled(page);
  await page.locator('a.agent').first().waitFor();
  const moving = await page.evaluate(() => document.getAnimations().length);
  assert.equal(moving, 0);
});

test('the result of an agent is the one of the API', async () => {
  const page = await look(browser);
  await page.goto(house.door());
  await page.goto(`${house.url}/agents/${scene.mended.agentId}?tab=result`);
  const { result } = await house.api(`/agents/${scene.mended.agentId}`);
  await page.getByText(result.summary).waitFor();
  const diff = await page.locator('.diff').innerText();
  assert.equal(diff.replaceAll(/\s+/g, ''), result.diff.replaceAll(/\s+/g, ''));
  for (const file of [...result.createdFiles, ...result.editedFiles])
    await page.locator('dd code', { hasText: file }).waitFor();
});

test('the history holds what has ended, and gives it away', async () => {
  const page = await look(browser);
  await page.goto(house.door());
  await page.goto(`${house.url}/history?status=completed`);
  await settled(page);
  const { agents } = await house.api('/agents');
  const ended = agents.filter((a) => a.outcome === 'completed');
  await house.until(async () => (await page.locator('a.hrow').count()) === ended.length, `${ended.length} rows`);
  const take = async (name) => {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
    const chunks = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };
  const ids = ended.map((a) => a.agentId).sort();
  assert.deepEqual(
    JSON.parse(await take('JSON'))
      .map((r) => r.agentId)
      .sort(),
    ids,
  );
  const table = (await take('CSV')).split('\r\n');
  assert.match(table[0], /^agentId,groupId,groupDescription,role,/);
  assert.deepEqual(
    table
      .map((row) => row.split(',')[0])
      .filter((cell) => ids.includes(cell))
      .sort(),
    ids,
  );
});

test('pictures', pictured, async () => {
  const wanted = [
    'stage',
    'stage-table',
    'agent-live',
    'agent',
    'agent-tools',
    'group',
    'group-messages',
    'group-timeline',
    'tasks',
    'task',
    'flow',
    'roles',
    'health',
    'history',
    'peek',
    'actors',
    'settings',
  ];
  const take = async (options, suffix, names) => {
    const page = await look(browser, options);
    await page.goto(house.door());
    for (const name of names) {
      await page.goto(house.url + pages(scene)[name]);
      await settled(page);
      await page.waitForTimeout(400); // what arrives has arrived
      await page.screenshot({ path: join(screens, `${name}${suffix}.png`) });
    }
    if (names.includes('roles')) {
      await page.goto(`${house.url}/roles?role=text-review`);
      await settled(page);
      await page.locator('details[open]').getByRole('button', { name: 'Edit' }).click();
      const form = page.getByRole('form');
      await form.getByLabel('Name', { exact: true }).fill('Weigher of words');
      await form.getByRole('button', { name: 'Show what changes' }).click();
      await form.locator('.diff').waitFor();
      await form.locator('.diff').scrollIntoViewIfNeeded();
      await page.screenshot({ path: join(screens, `roles-edit${suffix}.png`) });
    }
    await page.context().close();
  };
  await take({ theme: 'dark', lang: 'en' }, '', wanted);
  await take({ theme: 'light', lang: 'ja' }, '.ja', ['stage', 'flow', 'settings']);
  await take({ theme: 'dark', lang: 'ja', width: 360, height: 740 }, '.narrow', ['stage', 'agent']);
});
