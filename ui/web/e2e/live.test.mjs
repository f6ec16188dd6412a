// What happens in the house is seen on the stage, at once and as it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clean, look } from './browser.mjs';
import { browser, house, inHouse } from './house.mjs';
import { settled } from './play.mjs';

let page;

inHouse({
  begin: async () => {
    page = await look(browser, { expected: [/401/] });
  },
});

test('a stranger sees how to get in, and gets in with what was pasted', async () => {
  await page.goto(house.url);
  await page.getByRole('heading', { name: 'The stage door' }).waitFor();
  await page.getByLabel('Address or code').fill('let me in');
  await page.getByRole('button', { name: 'Enter' }).click();
  await page.getByText('There is no code in it.').waitFor();
  await page.getByLabel('Address or code').fill(house.door());
  await page.getByRole('button', { name: 'Enter' }).click();
  await settled(page);
  assert.equal(new URL(page.url()).search, '');
  await page.getByText('The stage is empty').waitFor();
});

test('an agent appears within two seconds and goes through its states', async () => {
  const group = await house.api('/groups', { description: 'One agent' });
  const began = Date.now();
  const { agents } = await house.api(`/groups/${group.groupId}/agents`, {
    agents: [{ role: 'code-review', prompt: 'Look.' }],
  });
  const card = page.locator(`a.agent[href="/agents/${agents[0].agentId}"]`);
  await card.waitFor({ timeout: 2_000 });
  assert.ok(Date.now() - began < 2_000);
  await card.getByText('Completed').waitFor();
  const told = await house.api(`/agents/${agents[0].agentId}`);
  assert.equal(told.status, 'completed');
  assert.match(await card.innerText(), new RegExp(told.lastAssistantMessage.slice(0, 30)));
  assert.equal((await card.locator('.num').first().innerText()).trim().split(/\s+/).at(-1), String(told.toolCallCount));
});

test('the counts are those of the API', async () => {
  const group = await house.api('/groups', { description: 'Six of them' });
  await house.api(`/groups/${group.groupId}/agents`, {
    agents: Array.from({ length: 6 }, (_, i) => ({
      role: 'research',
      prompt: i < 5 ? 'A long look.' : 'A short look.',
    })),
  });
  await house.until(async () => (await house.api('/agents?status=running')).total === 4, 'four to run');
  const chip = (name) => page.locator('.chip', { hasText: name }).locator('b');
  await house.until(async () => (await chip('Running').innerText()) === '4', 'the chip to say four');
  const { agents } = await house.api('/agents');
  const count = (status) => agents.filter((a) => a.status === status).length;
  assert.equal(await chip('Queued').innerText(), String(count('queued')));
  assert.equal(await chip('All').innerText(), String(agents.length));
});

test('a filter is in the address and survives a reload', async () => {
  await page.locator('.chip', { hasText: 'Running' }).click();
  await page.getByPlaceholder('Search agents').fill('six of');
  await page.waitForURL(/status=running&q=six\+of|q=six\+of&status=running/);
  await page.reload();
  await settled(page);
  await house.until(async () => (await page.locator('a.agent').count()) === 4, 'four cards');
  assert.equal(await page.getByPlaceholder('Search agents').inputValue(), 'six of');
  await page.goto(house.url);
});

test('an agent is cancelled by hand, after a question', async () => {
  const running = (await house.api('/agents?status=running')).agents[0];
  await page.goto(`${house.url}/agents/${running.agentId}`);
  await settled(page);
  await page.getByText('I read what there is, from the door to the attic.').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Leave it' }).click();
  assert.equal((await house.api(`/agents/${running.agentId}`)).status, 'running');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.locator('h2').getByText('Cancelled').waitFor();
  assert.equal((await house.api(`/agents/${running.agentId}`)).status, 'cancelled');
});

test('what an agent says is told while it says it', async () => {
  const group = await house.api('/groups', { description: 'To be followed' });
  for (const a of (await house.api('/agents')).agents.filter((x) => !x.outcome))
    await house.api(`/agents/${a.agentId}`, undefined, 'DELETE');
  const { agents } = await house.api(`/groups/${group.groupId}/agents`, {
    agents: [{ role: 'research', prompt: 'A long look.' }],
  });
  const id = agents[0].agentId;
  await page.goto(`${house.url}/agents/${id}?tab=live`);
  await page.getByText('I compare them.').waitFor();
  await page.locator('summary', { hasText: 'Grep' }).waitFor();
  await page.getByRole('tab', { name: 'Raw stream' }).click();
  const raw = await (
    await fetch(`${house.url}/api/agents/${id}/log`, { headers: { Authorization: `Bearer ${house.token}` } })
  ).text();
  const lines = raw.trimEnd().split('\n');
  await page.getByText(`${lines.length} lines`).waitFor();
});

test('an agent is run again with another prompt', async () => {
  const before = (await house.api('/agents')).total;
  await page.getByRole('button', { name: 'Run again' }).click();
  const dialog = page.getByRole('dialog');
  assert.equal(await dialog.getByLabel('Prompt').inputValue(), 'A long look.');
  await dialog.getByLabel('Prompt').fill('A short look.');
  await dialog.getByRole('button', { name: 'Run agent' }).click();
  await page.getByText('Nothing must be fixed.').first().waitFor();
  assert.equal((await house.api('/agents')).total, before + 1);
});

test('a refusal is shown with its reason, and the form stays', async () => {
  await page.getByRole('button', { name: 'Run again' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Directory').fill('/nowhere/at/all');
  await dialog.getByRole('button', { name: 'Run agent' }).click();
  await dialog.getByRole('alert').waitFor();
  assert.match(await dialog.getByRole('alert').innerText(), /workingDirectory/);
  await page.keyboard.press('Escape');
});

test('a task is sent from the page and its letters are drawn', async () => {
  await page.goto(`${house.url}/tasks`);
  await page.getByLabel('What is to be done?').fill('Sew me a noren.');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.waitForURL(/\/tasks\/[0-9a-f-]+$/);
  const id = page.url().split('/').at(-1);
  await page.locator('h2').getByText('Completed').waitFor({ timeout: 30_000 });
  const tree = await house.api(`/tasks/${id}`);
  await page.getByText('Thank you for waiting.').first().waitFor();
  await house.until(async () => (await page.locator('.node').count()) === tree.subtasks.length, 'the whole tree');
  await page.getByRole('link', { name: 'Flow' }).last().click();
  const { messages } = await house.api(`/messages?task=${id}`);
  const refused = 1; // the play has one letter that may not be sent, which the journal of messages does not hold
  const said = page.locator('.chip b');
  await house.until(
    async () => (await said.allInnerTexts()).reduce((n, x) => n + Number(x), 0) === messages.length + refused,
    `${messages.length + refused} letters`,
  );
  await page.getByLabel('List of messages').click();
  assert.equal(await page.locator('.letter').count(), messages.length + refused);
  await page.getByText('I hand over the purpose and the conditions').waitFor();
});

test('the picture is held still, and goes on where it stopped', async () => {
  await page.goto(house.url);
  await settled(page);
  await page.keyboard.press('p');
  const group = await house.api('/groups', { description: 'Behind the curtain' });
  await page.getByText('new — show').waitFor();
  assert.equal(await page.getByText('Behind the curtain').count(), 0);
  await page.getByText('new — show').click();
  await page.getByText('Behind the curtain').waitFor();
  await house.api(`/groups/${group.groupId}`, undefined, 'DELETE');
  await page.getByText('Behind the curtain').waitFor({ state: 'detached' });
  clean(page);
});

test('when the house falls its last picture stays, and it goes on when it is back', async () => {
  const cards = await page.locator('a.agent').count();
  assert.ok(cards > 0);
  await house.stop();
  await page.getByText('The connection is lost.').waitFor();
  assert.equal(await page.locator('a.agent').count(), cards);
  await house.start();
  await page.locator('.live[data-tone="good"]').waitFor();
  await page.getByText('The connection is lost.').waitFor({ state: 'detached' });
  await house.api('/groups', { description: 'After the interval' });
  await page.getByText('After the interval').waitFor();
});
