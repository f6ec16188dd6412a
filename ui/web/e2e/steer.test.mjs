// What is seen on a page is what the house says, and what is changed on it is what the house has.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessible, clean, look } from './browser.mjs';
import { browser, house, inHouse } from './house.mjs';
import { play, rolesKnown, settled } from './play.mjs';

let page;
let scene;
const file = () => join(house.project, 'kurogo.toml');

inHouse({
  begin: async () => {
    page = await look(browser);
    await page.goto(house.door());
    await settled(page);
    scene = await play(house);
  },
});

const open = async (path) => {
  await page.goto(house.url + path);
  await settled(page);
};
const role = async (id) => (await house.api('/roles')).roles.find((r) => r.id === id);

test('a role is edited where it stands: the diff first, then the file, then who begins', async () => {
  const before = readFileSync(file(), 'utf8');
  await open('/roles?role=text-review');
  const one = page.locator('details.role', { has: page.getByText('text-review', { exact: true }) });
  await one.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('form', { name: 'Edit: text-review' });
  await form.getByLabel('Name', { exact: true }).fill('Weigher of words');
  await form.getByLabel('System prompt').fill('You weigh words.\nEvery one of them.');
  await form.getByRole('button', { name: 'Show what changes' }).click();
  await form.locator('.diff').waitFor();
  assert.match(await form.locator('.diff').innerText(), /\+.*Weigher of words/);
  assert.equal(readFileSync(file(), 'utf8'), before, 'looking changes nothing');
  await accessible(page, 'the editor of a role');
  await form.getByRole('button', { name: 'Save to kurogo.toml' }).click();
  await page.getByText('Saved.').waitFor();
  const now = readFileSync(file(), 'utf8');
  for (const line of before.split('\n').filter((l) => l.startsWith('#'))) assert.ok(now.includes(line), line);
  assert.match(now, /Weigher of words/);
  await house.until(async () => (await role('text-review')).name === 'Weigher of words', 'the role to be the new one');
  await house.until(async () => (await role('text-review')).healthCheck.status === 'passed', 'it to be checked again');
  await page.locator('summary', { hasText: 'Weigher of words' }).waitFor();
  clean(page);
});

test('a second browser hears of the edit', async () => {
  const other = await look(browser);
  await other.goto(house.door());
  await other.goto(`${house.url}/roles`);
  await settled(other);
  const plan = await house.api('/roles/code-review', { name: 'Reviewer of code', dry_run: true });
  assert.match(plan.diff, /Reviewer of code/);
  await house.api('/roles/code-review', { name: 'Reviewer of code', base: plan.base });
  await other.locator('summary', { hasText: 'Reviewer of code' }).waitFor();
  clean(other);
  await other.context().close();
});

test('who was overtaken overwrites nothing, and sees what changes now', async () => {
  await open('/roles?role=research');
  const one = page.locator('details.role', { has: page.getByText('research', { exact: true }) });
  await one.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('form', { name: 'Edit: research' });
  await form.getByLabel('Name', { exact: true }).fill('Reader');
  await form.getByRole('button', { name: 'Show what changes' }).click();
  await form.locator('.diff').waitFor();
  writeFileSync(file(), `# somebody else was here\n${readFileSync(file(), 'utf8')}`);
  await form.getByRole('button', { name: 'Save to kurogo.toml' }).click();
  await form.getByText('The file was changed by somebody else meanwhile.').waitFor();
  assert.doesNotMatch(readFileSync(file(), 'utf8'), /Reader/);
  await form.getByRole('button', { name: 'Save to kurogo.toml' }).click();
  await page.getByText('Saved.').waitFor();
  const now = readFileSync(file(), 'utf8');
  assert.match(now, /^# somebody else was here/);
  assert.match(now, /Reader/);
});

test('a model that is not there is seen before anything is saved', async () => {
  await open('/roles?role=impl-test');
  const one = page.locator('details.role', { has: page.getByText('impl-test', { exact: true }) });
  await one.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('form', { name: 'Edit: impl-test' });
  await form.locator('select').nth(1).selectOption('Another model…');
  await form.getByLabel('Name of the model').fill('no-such-model');
  await form
    .getByRole('status')
    .getByText(/Unknown|Invalid/)
    .waitFor();
  await form.getByRole('button', { name: 'Leave it' }).click();
  await form.waitFor({ state: 'detached' });
});

test('what cannot be said in the file is refused with its reason', async () => {
  await assert.rejects(() => house.api('/roles/nobody', { name: 'x', dry_run: true }), /nobody/);
  await assert.rejects(() => house.api('/roles/research', { driver: 'no-such-driver', dry_run: true }), /driver/);
});

test('an agent shows how it was called, and when it used its tools', async () => {
  const whole = await house.api(`/history/${scene.mended.agentId}`);
  assert.ok(whole.run.argv.length > 1, 'its arguments are known');
  await open(`/agents/${scene.mended.agentId}?tab=tools`);
  const shown = await page.locator('.argv').innerText();
  for (const word of whole.run.argv) assert.ok(shown.includes(word), `${word} in ${shown}`);
  const rows = page.locator('.waterfall li');
  await rows.first().waitFor();
  assert.equal(await rows.count(), whole.run.recentToolCalls.length);
  for (const c of whole.run.recentToolCalls) assert.ok(Date.parse(c.endedAt) >= Date.parse(c.startedAt), c.type);
});

test('a group has the letters of its agents and the files that they touched', async () => {
  await open(`/groups/${scene.mend.groupId}?tab=messages`);
  const { messages } = await house.api(`/messages?group=${scene.mend.groupId}`);
  assert.ok(messages.length >= 8);
  await house.until(
    async () => (await page.locator('.letter').count()) === messages.length,
    `${messages.length} letters`,
  );
  await page.getByRole('tab', { name: 'Files' }).click();
  const { result } = await house.api(`/agents/${scene.mended.agentId}`);
  const row = page.locator('.files li', { hasText: result.createdFiles[0] });
  await row.getByRole('link', { name: scene.mended.agentId }).waitFor();
});

test('the history is the journal, deleted groups too, a page at a time', async () => {
  const { agents } = await house.api(`/groups/${scene.read.groupId}/agents`);
  for (const a of agents.filter((x) => !x.outcome)) await house.api(`/agents/${a.agentId}`, undefined, 'DELETE');
  await house.until(
    async () => (await house.api(`/groups/${scene.read.groupId}/agents`)).agents.every((a) => a.outcome),
    'all to end',
  );
  await house.api(`/groups/${scene.read.groupId}`, undefined, 'DELETE');
  await open(`/history?group=${scene.read.groupId}`);
  await house.until(async () => (await page.locator('a.hrow').count()) === agents.length, `${agents.length} rows`);
  await open('/history?sort=-tools');
  const told = await house.api('/history?sort=-tools');
  await page.locator('a.hrow').first().waitFor();
  const first = await page.locator('a.hrow .mono').first().innerText();
  assert.equal(first, told.agents[0].agentId);
  await page.getByText(`${told.total} agents`).waitFor();
});

test('a row is looked at over the list, and Esc goes back to it', async () => {
  await open('/history');
  await page.locator('a.hrow', { hasText: scene.mended.agentId }).click();
  const drawer = page.getByRole('dialog', { name: scene.mended.agentId });
  await drawer.waitFor();
  assert.match(page.url(), new RegExp(`peek=${scene.mended.agentId}`));
  const { result } = await house.api(`/agents/${scene.mended.agentId}`);
  await drawer.getByText(result.summary).waitFor();
  await accessible(page, 'the drawer');
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  assert.doesNotMatch(page.url(), /peek/);
  await open('/');
  await page.locator('a.agent').first().focus();
  await page.keyboard.press('o');
  await page.locator('.peek').waitFor();
  await page.locator('.peek').getByRole('link', { name: 'Open the page' }).click();
  await page.waitForURL(/\/agents\//);
  clean(page);
});

test('tasks say what they took', async () => {
  const { rows } = await house.api(`/ledger?task=${scene.task.taskId}`);
  const retried = rows.filter((r) => r.attempts > 1);
  assert.ok(retried.length > 0, 'somebody falls in the play');
  await open(`/tasks/${scene.task.taskId}`);
  const facts = page.locator('aside .facts');
  await facts.getByText('Attempts').waitFor();
  const own = rows.find((r) => r.task_id === scene.task.taskId);
  assert.match(await facts.innerText(), new RegExp(`Turns\\s+${own.turns}\\s+Attempts\\s+${own.attempts}`));
  await house.until(
    async () => (await page.locator('.node .tag').count()) === retried.length,
    `${retried.length} marks of attempts`,
  );
  const crew = (await house.api('/tasks?of=crew&limit=500')).tasks;
  const all = (await house.api('/tasks?limit=500')).tasks;
  assert.equal(crew.length, 1);
  assert.ok(all.length > crew.length);
});

test('the settings are those of the house, and hold no secret', async () => {
  const told = await house.api('/settings');
  assert.doesNotMatch(JSON.stringify(told), new RegExp(house.token));
  const limits = told.tables.find((x) => x.name === 'limits').keys;
  assert.deepEqual(
    limits.find((k) => k.key === 'max_concurrent'),
    { key: 'max_concurrent', value: '4', default: '10' },
  );
  await open('/settings');
  const row = page.locator('tr', { hasText: 'max_concurrent' });
  assert.match(await row.innerText(), /4\s*differs from the default\s*10/);
  const pages = told.connections.filter((c) => c.kind === 'page').length;
  assert.equal(pages, 1);
  await page.locator('td', { hasText: 'a dashboard' }).first().waitFor();
  await page.getByLabel('Only what differs').check();
  await page.locator('tr', { hasText: 'queued_agents' }).waitFor({ state: 'detached' });
});

test('the crew stands in its tree, each with its inbox', async () => {
  await open('/actors');
  const { members } = await house.api('/crew');
  for (const m of members) {
    const row = page.locator('.actor', { hasText: m.title });
    assert.equal((await row.first().locator('.num').first().innerText()).match(/\d+/)[0], String(m.inbox_depth));
  }
});

test('the health check is run again from the page, in its steps', async () => {
  await open('/health');
  await page.getByRole('button', { name: 'Check again' }).click();
  await rolesKnown(house);
  const { roles } = await house.api('/roles');
  const available = roles.filter((r) => r.available).length;
  await page.getByText(`${available} of ${roles.length} roles can be run.`).waitFor();
});
