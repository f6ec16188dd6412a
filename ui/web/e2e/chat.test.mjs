// The chat, as its document plays it: every step in a browser, the failures too.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessible, clean, look, pictured, screens } from './browser.mjs';
import { browser, house } from './house.mjs';
import { inParlour, model } from './parlour.mjs';

inParlour();

/** enter opens a page that knows what it has asked of the chat, in that order. */
async function enter(options) {
  const page = await look(browser, options);
  page.asked = [];
  page.on('request', (r) => {
    const { pathname } = new URL(r.url());
    if (/^\/api\/(sessions|chat)/.test(pathname)) page.asked.push(`${r.method()} ${pathname}`);
  });
  await page.goto(house.door());
  await page.locator('.live[data-tone="good"]').waitFor();
  return page;
}

const field = (page) => page.getByRole('textbox', { name: /Message|メッセージ/ });
const said = (page, text) => page.locator('.utterance', { hasText: text });
const titles = (page) => page.locator('.talks li a .one').allInnerTexts();
const idOf = (page) => new URL(page.url()).pathname.split('/').at(-1);

/** open begins a talk of its own and goes there. */
async function open(page) {
  const { id } = await house.api('/sessions', {}, 'POST');
  await page.goto(`${house.url}/chat/${id}`);
  await field(page).waitFor();
  return id;
}

/** fails answers the next such request with a failure, as a house in trouble does. */
async function fails(page, method, pattern, answer) {
  let left = 1;
  await page.route(pattern, async (route) => {
    if (left === 0 || route.request().method() !== method) return route.fallback();
    left--;
    if (answer) return answer(route);
    await route.fulfill({
      status: 500,
      json: { ok: false, data: null, error: { code: 'internal', message: 'the disk is full' } },
    });
  });
}

test('§2: the first visit opens a talk, the next goes on with the newest', async () => {
  const page = await enter();
  assert.deepEqual(await house.api('/sessions'), []);
  await page.goto(`${house.url}/chat`);
  await page.waitForURL(/\/chat\/.+/);
  await page.getByText('Ask about the project').waitFor();
  const [only, ...others] = await house.api('/sessions');
  assert.deepEqual([only.id, others], [idOf(page), []]);
  // The list, a new one because it was empty; then the page reads the list and the talk.
  assert.deepEqual(page.asked.slice(0, 2), ['GET /api/sessions', 'POST /api/sessions']);
  assert.deepEqual(page.asked.slice(2).sort(), ['GET /api/sessions', `GET /api/sessions/${only.id}`]);
  // It was replaced: back leads to where one was before the chat.
  await page.goBack();
  assert.equal(new URL(page.url()).pathname, '/');

  const newest = await house.api('/sessions', {}, 'POST');
  page.asked.length = 0;
  await page.goto(`${house.url}/chat`);
  await page.waitForURL(`${house.url}/chat/${newest.id}`);
  await field(page).waitFor();
  assert.ok(!page.asked.includes('POST /api/sessions'), 'one more was opened');
  assert.equal((await house.api('/sessions')).length, 2);
  clean(page);
});

test('§3, §4: a message is there at once, the answer as it is found, then everything as it was written down', async () => {
  const page = await enter();
  const id = await open(page);
  await page.getByText('Ask about the project').waitFor();
  page.asked.length = 0;
  const sending = page.waitForRequest((r) => r.url().endsWith('/api/chat'));
  await field(page).fill('How wide is the curtain?\nIn columns.');
  await page.getByRole('button', { name: 'Send' }).click();

  // Step 8: shown, the field empty, the button asleep; the body is the document's.
  await said(page, 'How wide is the curtain?').waitFor();
  assert.equal(await field(page).inputValue(), '');
  assert.deepEqual((await sending).postDataJSON(), {
    user_input: 'How wide is the curtain?\nIn columns.',
    session_id: id,
  });
  const turn = await model.next(house, /How wide/);
  await page.getByText('An answer is on its way').waitFor();
  await field(page).fill('a second thought');
  assert.ok(await page.getByRole('button', { name: 'Send' }).isDisabled());
  await field(page).press('Enter'); // nothing is sent while an answer is awaited
  assert.equal(await field(page).inputValue(), 'a second thought');
  assert.equal(
    (await house.api(`/sessions/${id}`)).messages.length,
    1,
    'the message was not written before the answer',
  );

  // The words come while the model speaks.
  turn.say('It is measured in **columns**, see `stage/curtain.go#L4-L11`.\n\n');
  await page.locator('.md strong', { hasText: 'columns' }).waitFor();
  assert.equal((await house.api(`/sessions/${id}`)).messages.length, 1);
  turn.say('- a wide letter: 2\n- any other: 1\n');
  turn.end();
  await page.getByText('An answer is on its way').waitFor({ state: 'detached' });

  // Steps 20 to 22: read again, with a title.
  const detail = await house.api(`/sessions/${id}`);
  assert.deepEqual(
    detail.messages.map((m) => [m.role, m.fallback]),
    [
      ['user', false],
      ['assistant', false],
    ],
  );
  assert.deepEqual(page.asked.slice(0, 1), ['POST /api/chat']);
  assert.ok(page.asked.includes(`GET /api/sessions/${id}`) && page.asked.includes('GET /api/sessions'));
  await house.until(async () => (await titles(page))[0] === 'How wide is the curtain?', 'the title in the sidebar');
  assert.equal((await house.api('/sessions'))[0].title, 'How wide is the curtain?');
  assert.equal(await page.locator('.utterance').count(), 2);
  assert.deepEqual(await page.locator('.md li').allInnerTexts(), ['a wide letter: 2', 'any other: 1']);

  // Sources are those of the API, each leading to its lines.
  const { sources } = detail.messages[1];
  assert.ok(
    sources.some((s) => s.path === 'stage/curtain.go'),
    JSON.stringify(sources),
  );
  await page.getByText(`Sources ${sources.length}`).click();
  const links = await page.locator('.sources a').allInnerTexts();
  assert.deepEqual(
    links,
    sources.map((s) => (s.path ? `${s.path}#${s.span}` : `chat:${s.session_id}`)),
  );
  await page.locator('.md a', { hasText: 'stage/curtain.go#L4-L11' }).click();
  await page.waitForURL(/\/search\?/);
  await page.locator('.source [data-here]', { hasText: 'Width is how many columns' }).waitFor();
  clean(page);
});

test('§4: a talk without a title gets one by PATCH', async () => {
  const page = await enter();
  const id = await open(page);
  // The house names talks itself; this one is told as if it had not, until somebody does.
  await page.route(/\/api\/sessions\?/, async (route) => {
    if (page.asked.some((a) => a.startsWith('PATCH'))) return route.fallback();
    const response = await route.fetch();
    const list = await response.json();
    for (const s of list.data) if (s.id === id) s.title = null;
    await route.fulfill({ response, json: list });
  });
  const named = page.waitForRequest((r) => r.method() === 'PATCH');
  model.answers(/knots/, 'Three.');
  await field(page).fill('\n  How many knots\nhas the rope?');
  await field(page).press('Enter');
  const patch = await named;
  assert.equal(new URL(patch.url()).pathname, `/api/sessions/${id}/title`);
  assert.deepEqual(patch.postDataJSON(), { title: 'How many knots' });
  await house.until(async () => (await titles(page))[0] === 'How many knots', 'the title in the sidebar');
  assert.equal((await house.api(`/sessions/${id}`)).title, 'How many knots');
  clean(page);
});

test('§5: an answer that nobody can give is given in words of our own', async () => {
  const page = await enter();
  const id = await open(page);
  for (let i = 0; i < 3; i++) model.answers(/voice/, (turn) => turn.fail());
  await field(page).fill('Have you a voice?');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('.utterance[data-fallback]').waitFor();
  model.script.length = 0;
  const { messages } = await house.api(`/sessions/${id}`);
  assert.deepEqual([messages.length, messages[1].fallback], [2, true]);
  await page.getByText('these words are Kurogo’s own').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0, 'that is no error of the page');
  clean(page);
});

test('§5: a refused message raises a banner and a stand-in, and is said again as the same', async () => {
  const page = await enter({ expected: [/500/] });
  const id = await open(page);
  await fails(page, 'POST', /\/api\/chat$/);
  const first = page.waitForRequest((r) => r.url().endsWith('/api/chat'));
  await field(page).fill('Is anybody there?');
  await field(page).press('Enter');
  const banner = page.getByRole('alert');
  await banner.getByText('The message was not answered.').waitFor();
  await banner.getByText('the disk is full').waitFor();
  await said(page, 'Kurogo could not be reached for an answer').waitFor();
  await page.locator('.utterance[data-local="failed"]', { hasText: 'Is anybody there?' }).waitFor();
  assert.deepEqual((await house.api(`/sessions/${id}`)).messages, []);

  const second = page.waitForRequest((r) => r.url().endsWith('/api/chat'));
  model.answers(/anybody/, 'I am.');
  await page.getByRole('button', { name: 'Try again' }).click();
  await said(page, 'I am.').waitFor();
  assert.equal((await second).headers()['idempotency-key'], (await first).headers()['idempotency-key']);
  await banner.waitFor({ state: 'detached' });
  assert.equal(await page.locator('[data-local]').count(), 0);
  assert.deepEqual(
    (await house.api(`/sessions/${id}`)).messages.map((m) => m.content),
    ['Is anybody there?', 'I am.'],
  );
  clean(page);
});

test('§5: an answer that breaks off is an error, and is found when it is asked for again', async () => {
  const page = await enter({ expected: [/ERR_/] });
  const id = await open(page);
  await fails(page, 'POST', /\/api\/chat$/, (route) => route.abort('connectionreset'));
  await field(page).fill('Do you hear me?');
  await field(page).press('Enter');
  await page.getByRole('alert').getByText('The message was not answered.').waitFor();
  model.answers(/hear me/, 'Now I do.');
  await page.getByRole('button', { name: 'Try again' }).click();
  await said(page, 'Now I do.').waitFor();
  assert.equal((await house.api(`/sessions/${id}`)).messages.length, 2);
  clean(page);
});

for (const [lang, words] of Object.entries({
  ja: {
    list: '会話の一覧を読み込めませんでした。',
    history: '会話の履歴を読み込めませんでした。',
    open: '新しい会話を作成できませんでした。',
    again: '再読み込み',
  },
  en: {
    list: 'The list of talks could not be read.',
    history: 'What was said could not be read.',
    open: 'A new talk could not be opened.',
    again: 'Read again',
  },
})) {
  test(`§5: what cannot be read is said, in ${lang}`, async () => {
    const page = await enter({ lang, expected: [/500/] });
    const id = await open(page);
    await fails(page, 'GET', /\/api\/sessions\?/);
    await page.goto(`${house.url}/chat/${id}`);
    await page.getByRole('alert').getByText(words.list).waitFor();
    await page.getByRole('button', { name: words.again }).click();
    await page.locator('.talks li').first().waitFor();
    await page.getByText(words.list).waitFor({ state: 'detached' });

    await fails(page, 'GET', new RegExp(`/api/sessions/${id}`));
    await page.goto(`${house.url}/chat/${id}`);
    await page.getByRole('alert').getByText(words.history).waitFor();
    await page.getByRole('button', { name: words.again }).click();
    await page.getByText(words.history).waitFor({ state: 'detached' });

    await fails(page, 'GET', /\/api\/sessions\?/);
    await page.goto(`${house.url}/chat`);
    await page.getByText(words.list).waitFor();
    await page.route(/\/api\/sessions\?/, (route) => route.fulfill({ json: { ok: true, data: [], error: null } }));
    await fails(page, 'POST', /\/api\/sessions$/);
    await page.getByRole('button', { name: words.again }).click();
    await page.getByText(words.open).waitFor();
    await page.unroute(/\/api\/sessions\?/);
    await page.getByRole('button', { name: words.again }).click();
    await page.waitForURL(/\/chat\/.+/);
    clean(page);
  });
}

test('an address without a talk says so, and what is said there begins one', async () => {
  const page = await enter({ expected: [/404/] });
  const nobody = '0199a0b1-0000-7000-8000-000000000001';
  await page.goto(`${house.url}/chat/${nobody}`);
  await page.getByText('There is no talk at this address').waitFor();
  model.answers(/begin/, 'Begun.');
  await field(page).fill('Let us begin.');
  await field(page).press('Enter');
  await page.waitForURL((url) => url.pathname.startsWith('/chat/') && !url.pathname.endsWith(nobody));
  await said(page, 'Begun.').waitFor();
  assert.equal((await house.api(`/sessions/${idOf(page)}`)).messages.length, 2);
  clean(page);
});

test('Enter ends a composition and does not send; Shift+Enter is a line; a choice is kept', async () => {
  const page = await enter();
  const id = await open(page);
  const client = await page.context().newCDPSession(page);
  await field(page).focus();
  await client.send('Input.imeSetComposition', { text: 'まく', selectionStart: 2, selectionEnd: 2 });
  // The keys of a composition as browsers tell them: with isComposing, and as 229.
  const composing = await field(page).evaluate((f) => {
    const press = (init, code) => {
      const e = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init });
      if (code) Object.defineProperty(e, 'keyCode', { value: code });
      f.dispatchEvent(e);
      return e.defaultPrevented;
    };
    return [press({ isComposing: true }), press({}, 229), press({ isComposing: true, ctrlKey: true })];
  });
  assert.deepEqual(composing, [false, false, false]);
  await client.send('Input.insertText', { text: '幕' });
  assert.equal(await field(page).inputValue(), '幕');
  assert.deepEqual((await house.api(`/sessions/${id}`)).messages, []);
  await field(page).press('Shift+Enter');
  assert.equal(await field(page).inputValue(), '幕\n');
  await page.getByLabel('Enter sends').uncheck();
  await field(page).press('Enter');
  assert.equal(await field(page).inputValue(), '幕\n\n');
  await page.reload();
  await field(page).waitFor();
  assert.equal(await page.getByLabel('Enter sends').isChecked(), false);
  model.answers(/幕/, 'はい。');
  await field(page).fill('幕?');
  await field(page).press('Control+Enter');
  await said(page, 'はい。').waitFor();
  clean(page);
});

test('what answers say is text, whatever it pretends to be', async () => {
  const page = await enter();
  await open(page);
  const hostile = [
    '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>',
    '[click](javascript:window.pwned=1) ![p](https://elsewhere.example/p.png) [d](data:text/html,x)',
    '<a href="https://elsewhere.example">x</a> &lt;b&gt;',
  ].join('\n\n');
  model.answers(/pretend/, hostile);
  await field(page).fill('What do you pretend to be?');
  await field(page).press('Enter');
  await page.locator('.md', { hasText: 'onerror' }).waitFor();
  await page.getByText('An answer is on its way').waitFor({ state: 'detached' });
  assert.equal(await page.locator('.md :is(img, script, iframe)').count(), 0);
  assert.deepEqual(
    await page.locator('.md a').evaluateAll((all) => all.map((a) => [a.href, a.rel, a.target])),
    // They lead there when somebody wants it; nothing was loaded.
    ['https://elsewhere.example/p.png', 'https://elsewhere.example/'].map((a) => [a, 'noreferrer noopener', '_blank']),
  );
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  clean(page); // nothing was asked of another host
});

test('what happens elsewhere is seen here', async () => {
  const page = await enter();
  const id = await open(page);
  await page.getByText('Ask about the project').waitFor();
  const answer = house.api('/chat', { user_input: 'From the command line.', session_id: id });
  await said(page, 'From the command line.').waitFor();
  await page.getByText('An answer is on its way').waitFor();
  const turn = await model.next(house, /command line/);
  turn.say('To the page.');
  turn.end();
  await answer;
  await said(page, 'To the page.').waitFor();
  await house.api(`/sessions/${id}/title`, { title: 'Renamed elsewhere' }, 'PATCH');
  await page.locator('.roombar h2', { hasText: 'Renamed elsewhere' }).waitFor();
  await page.locator('.talks', { hasText: 'Renamed elsewhere' }).waitFor();
  clean(page);
});

test('a talk is named, handed to the crew, and deleted', async () => {
  const page = await enter();
  const id = await open(page);
  assert.ok(await page.getByRole('button', { name: 'To the crew' }).isDisabled(), 'nothing was said yet');
  model.answers(/sew/, 'With a needle.');
  await field(page).fill('How do I sew a noren?');
  await field(page).press('Enter');
  await said(page, 'With a needle.').waitFor();
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await page.getByLabel('Title').fill('The noren');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.roombar h2', { hasText: 'The noren' }).waitFor();
  assert.equal((await house.api(`/sessions/${id}`)).title, 'The noren');

  await page.getByRole('button', { name: 'To the crew' }).click();
  await page.getByLabel('What is to be done').fill('Sew it.');
  await accessible(page, 'the hand-over');
  await page.getByRole('button', { name: 'Give it to the crew' }).click();
  await page.waitForURL(/\/tasks\/.+/);
  const task = await house.api(`/tasks/${idOf(page)}`);
  assert.equal(task.content, 'Sew it.\n\nThe talk so far:\nuser: How do I sew a noren?\nassistant: With a needle.');

  await page.goto(`${house.url}/chat/${id}`);
  await page.getByRole('button', { name: 'Delete talk: The noren' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete talk' }).click();
  await page.waitForURL((url) => url.pathname.startsWith('/chat/') && !url.pathname.endsWith(id));
  assert.ok(!(await house.api('/sessions')).some((s) => s.id === id));
  clean(page);
});

for (const [theme, lang] of [
  ['dark', 'en'],
  ['light', 'ja'],
]) {
  test(`it is accessible, and fits into 360 pixels, ${theme} and in ${lang}`, async () => {
    const page = await enter({ theme, lang });
    await open(page);
    model.answers(
      /columns/,
      '## Columns\n\nA wide letter takes **two**:\n\n| letter | columns |\n|---|---|\n| a | 1 |\n| 幕 | 2 |\n\n```go\nn := Width("幕")\n```\n\n> see stage/curtain.go#L4-L11\n',
    );
    await field(page).fill('How many columns has 幕?');
    await field(page).press('Enter');
    await page.locator('.sources summary').click();
    await page.locator('.numbered').first().waitFor();
    await accessible(page, `chat ${theme} ${lang}`);
    await page.setViewportSize({ width: 360, height: 740 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    const wide = await page.locator('.thread .scroll').evaluate((b) => b.scrollWidth - b.clientWidth);
    assert.equal(wide, 0, 'what was said sticks out of the page');
    await page.locator('.toggle').click();
    await page.locator('.talks li').first().waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    await accessible(page, `chat ${theme} ${lang}, narrow`);
    await page.locator('.talks li a').first().click();
    await field(page).waitFor();
    clean(page);
  });
}

test('pictures', pictured, async () => {
  mkdirSync(screens, { recursive: true });
  for (const { id } of await house.api('/sessions')) await house.api(`/sessions/${id}`, undefined, 'DELETE');
  for (const question of [
    'Who ties the rope, and with how many knots?',
    'What does the test of the curtain measure?',
    '幕の幅はどこで測っていますか?',
  ]) {
    model.answers(/./, 'It is written there.');
    await house.api('/chat', { user_input: question, session_id: null });
  }
  for (const [suffix, options, question, answer] of [
    [
      '',
      { theme: 'dark', lang: 'en' },
      'How wide is a curtain with Japanese letters on it?',
      'A curtain is measured in **columns**, and a wide letter takes two of them: `stage/curtain.go#L4-L11`.\n\n```go\nfunc columns(r rune) int {\n\tif r >= 0x1100 {\n\t\treturn 2\n\t}\n\treturn 1\n}\n```\n\n- letters from U+1100 on: **2**\n- all others: **1**\n\nThe test measures 幕: `stage/curtain_test.go#L6-L10`.',
    ],
    [
      '.ja',
      { theme: 'light', lang: 'ja' },
      '全角文字の入った幕の幅はどう測りますか?',
      '幕の幅は**桁数**で測り、全角文字は二桁です: `stage/curtain.go#L4-L11`\n\n- U+1100 以降の文字: **2**\n- それ以外: **1**\n\nテストは `stage/curtain_test.go#L6-L10` にあります。',
    ],
  ]) {
    const page = await enter(options);
    await open(page);
    model.answers(/./, answer);
    await field(page).fill(question);
    await field(page).press('Enter');
    await page.locator('.md li').first().waitFor();
    await page.locator('.sources summary').click();
    await page.locator('.thread .scroll').evaluate((b) => b.scrollTo(0, 0));
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(screens, `chat${suffix}.png`) });
    await page.context().close();
  }
});
