// The search: what is found is what the API finds, by keyboard, and open at its line.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessible, clean, look, screens } from './browser.mjs';
import { browser, house } from './house.mjs';
import { inParlour, model } from './parlour.mjs';

inParlour();

async function enter(path = '/search', options) {
  const page = await look(browser, options);
  await page.goto(house.door());
  await page.goto(house.url + path);
  await page.locator('.live[data-tone="good"]').waitFor();
  return page;
}

const refs = (page) => page.locator('.hit > a').evaluateAll((all) => all.map((a) => a.dataset.ref));
const find = async (body) =>
  (await house.api('/index/search', { top_k: 50, ...body })).chunks.map((c) => `${c.path}#${c.span}`);
const params = (page) => Object.fromEntries(new URL(page.url()).searchParams);

test('what is found is what the API finds, and the address says what was asked', async () => {
  const page = await enter();
  await page.getByText('Ask the code base').waitFor();
  const { files, chunks } = await house.api('/index');
  await page.getByText(`${files} files, ${chunks} passages`).waitFor();
  await page.getByRole('searchbox').fill('width of a wide letter');
  const all = await find({ query: 'width of a wide letter' });
  assert.ok(all.length > 1, 'the index finds nothing');
  await house.until(async () => (await refs(page)).join() === all.join(), `the results ${all}`);

  await page.getByLabel('Path begins with').fill('stage/');
  const narrow = await find({ query: 'width of a wide letter', filters: { path_prefix: 'stage/' } });
  assert.notDeepEqual(narrow, all);
  await house.until(async () => (await refs(page)).join() === narrow.join(), `the results ${narrow}`);

  await page.getByLabel('What for').selectOption('tests');
  const tests = await find({ query: 'width of a wide letter', filters: { path_prefix: 'stage/' }, intent: 'tests' });
  await house.until(async () => (await refs(page)).join() === tests.join(), `the results ${tests}`);
  assert.match(tests[0], /_test\.go#/);

  await page.getByLabel('Show').selectOption('file');
  const byFile = await find({
    query: 'width of a wide letter',
    filters: { path_prefix: 'stage/' },
    intent: 'tests',
    granularity: 'file',
  });
  await house.until(async () => (await refs(page)).join() === byFile.join(), `the results ${byFile}`);
  assert.deepEqual(params(page), { q: 'width of a wide letter', path: 'stage/', intent: 'tests', by: 'file' });

  // The address alone brings all of it back.
  const again = await enter(`/search${new URL(page.url()).search}`);
  await house.until(async () => (await refs(again)).join() === byFile.join(), 'the same results');
  assert.equal(await again.getByLabel('What for').inputValue(), 'tests');
  await again.getByRole('searchbox').fill('zzqqxx');
  await again.getByText('Nothing fits.').waitFor();
  clean(page);
  clean(again);
});

test('a keyboard goes through what was found, and opens it at its lines', async () => {
  const page = await enter('/search?q=rope%20knots');
  await page.locator('.hit').first().waitFor();
  const found = await refs(page);
  await page.keyboard.press('/');
  assert.ok(await page.getByRole('searchbox').evaluate((f) => f === document.activeElement));
  await page.keyboard.press('Enter'); // from the field into the list
  const here = () => page.evaluate(() => document.activeElement.dataset.ref);
  assert.equal(await here(), found[0]);
  await page.keyboard.press('j');
  assert.equal(await here(), found[1]);
  await page.keyboard.press('k');
  assert.equal(await here(), found[0]);
  const [first] = (await house.api('/index/search', { query: 'rope knots', top_k: 1 })).chunks;
  await page.keyboard.press('Enter');
  await page.locator('.source').waitFor();
  assert.equal(params(page).open, found[0]);
  await page.locator('.source [data-here]').waitFor();
  const meant = await page.locator('.source [data-meant]').allInnerTexts();
  assert.deepEqual(
    meant.map((l) => l.replace(/\n$/, '')),
    first.text.replace(/\n$/, '').split('\n'),
  );
  const [from] = /\d+/.exec(first.span);
  assert.equal(await page.locator('.source [data-here]').getAttribute('data-n'), from);
  await page.keyboard.press('Escape');
  await page.locator('.source').waitFor({ state: 'detached' });
  await house.until(async () => (await here()) === found[0], 'the focus to be where it was');
  assert.equal(params(page).open, undefined);
  clean(page);
});

test('a place can be copied, and an address leads to it', async () => {
  const page = await enter('/search?open=stage%2Frope.go%23L5-L6');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: house.url });
  await page.locator('.source [data-here]', { hasText: 'func Knot' }).waitFor();
  assert.deepEqual(await page.locator('.source [data-meant]').evaluateAll((all) => all.map((l) => l.dataset.n)), [
    '5',
    '6',
  ]);
  await page.getByRole('button', { name: 'Copy reference' }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'stage/rope.go#L5-L6');
  await page.goto(`${house.url}/search?open=nowhere.go%23L1`);
  await page.getByText('The index holds nothing of this file.').waitFor();
  clean(page);
});

test('Japanese is found, and a composition is not asked before it ends', async () => {
  const page = await enter('/search', { lang: 'ja' });
  const asked = [];
  page.on('request', (r) => {
    if (r.url().endsWith('/api/index/search')) asked.push(r.postDataJSON().query);
  });
  await page.getByRole('searchbox').focus();
  const client = await page.context().newCDPSession(page);
  await client.send('Input.imeSetComposition', { text: 'まくのはば', selectionStart: 5, selectionEnd: 5 });
  await client.send('Input.insertText', { text: '幕の幅' });
  const want = await find({ query: '幕の幅' });
  assert.match(want[0], /README\.md/);
  await house.until(async () => (await refs(page)).join() === want.join(), `the results ${want}`);
  assert.deepEqual(asked, ['幕の幅']);
  clean(page);
});

test('an index that has nothing, and one that fails, say so', async () => {
  const page = await enter('/search', { expected: [/503|500/] });
  const answer = (status, code, message) => (route) =>
    route.fulfill({ status, json: { ok: false, data: null, error: { code, message, remedy: 'mend it' } } });
  await page.route(/index\/search/, answer(503, 'unavailable', 'nothing was ever indexed'));
  await page.getByRole('searchbox').fill('one');
  await page.getByText('Nothing is indexed yet.').waitFor();
  await page.locator('code', { hasText: 'kurogo index' }).waitFor();
  await page.unroute(/index\/search/);
  await page.route(/index\/search/, answer(500, 'internal', 'the index is torn'));
  await page.getByRole('searchbox').fill('two');
  await page.getByText('the index is torn').waitFor();
  await page.getByText('mend it').waitFor();
  clean(page);
});

test('talk is found in titles and in what was said', async () => {
  model.answers(/noren/, 'With a needle, and with patience.');
  const { session_id: id } = await house.api('/chat', { user_input: 'How do I sew a noren?', session_id: null });
  const page = await enter('/search?in=talk&q=patience');
  await page.locator('.hit mark', { hasText: 'patience' }).waitFor();
  assert.equal(await page.locator('.hit').count(), 1);
  await page.getByRole('searchbox').fill('noren');
  await house.until(async () => (await page.locator('.hit').count()) === 2, 'the title and the message');
  await page.locator('.hit a').first().click();
  await page.waitForURL(`${house.url}/chat/${id}`);
  clean(page);
});

for (const [theme, lang] of [
  ['dark', 'en'],
  ['light', 'ja'],
]) {
  test(`it is accessible, and fits into 360 pixels, ${theme} and in ${lang}`, async () => {
    const page = await enter('/search?q=curtain&open=stage%2Fcurtain.go%23L4-L11', { theme, lang });
    await page.locator('.hit').first().waitFor();
    await page.locator('.source [data-here]').waitFor();
    await accessible(page, `search ${theme} ${lang}`);
    if (screens) {
      mkdirSync(screens, { recursive: true });
      await page.waitForTimeout(400);
      await page.screenshot({ path: join(screens, `search${lang === 'ja' ? '.ja' : ''}.png`) });
    }
    await page.setViewportSize({ width: 360, height: 740 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    await page.goto(`${house.url}/search?in=talk&q=x`);
    await page.locator('main#page [role="status"]').waitFor();
    await accessible(page, `talk ${theme} ${lang}`);
    clean(page);
  });
}
