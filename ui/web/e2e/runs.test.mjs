// A run is planned, asks, is repaired, proved and taken back, and all of it is seen
// on the stage as the house has it; so is what waits for a person, and what was spent.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessible, clean, look, pictured } from './browser.mjs';
import { browser, house } from './house.mjs';
import { ended, idOf, page, pictures, proper, withJobs } from './jobs.mjs';
import { settled } from './play.mjs';

let garden; // the run that the tests after it look at

withJobs([/404|409/]);

const node = (title) => page.locator('.gnode', { hasText: title });
const trace = async (id) => (await house.api(`/jobs/${id}/entries`)).entries;
const same = (a, b) => assert.equal(a.replaceAll(/\s+/g, ''), b.replaceAll(/\s+/g, ''));

test('a run is started, and its plan is drawn as it needs', async () => {
  await page.goto(`${house.url}/runs`);
  await page.getByText('Nothing was run yet').waitFor();
  await page.getByRole('button', { name: 'New run' }).click();
  const form = page.getByRole('dialog');
  await accessible(page, 'the form of a run');
  await form.getByLabel('What is to be done?').fill('lay out the garden');
  await form.getByRole('button', { name: 'Start the run' }).click();
  await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/);
  garden = idOf();
  await node('Put up the sign').waitFor();
  const plan = (await trace(garden)).find((e) => e.kind === 'plan').body.plan;
  assert.equal(await page.locator('.gnode').count(), plan.steps.length);
  assert.equal(await page.locator('.graph > div > svg path').count(), plan.steps.flatMap((s) => s.needs).length);
  const left = async (title) => (await node(title).boundingBox()).x;
  for (const s of plan.steps)
    for (const need of s.needs) {
      const before = plan.steps.find((x) => x.id === need);
      assert.ok((await left(before.title)) < (await left(s.title)), `${need} stands before ${s.id}`);
    }
});

test('it asks for a word, everywhere where a person looks, and is answered on its page', async () => {
  const question = page.getByRole('region', { name: /May this program be run\? wc -l garden\/bridge.md/ });
  await question.waitFor();
  assert.equal(await page.title(), '(1) Kurogo');
  assert.equal(await page.locator('.nav .count').innerText(), '1');
  await accessible(page, 'a run that asks');
  const other = await look(browser);
  await other.goto(house.door());
  await other.locator('.attention').getByText('wc -l garden/bridge.md').click();
  await other.waitForURL(/\/approvals$/);
  await other.getByRole('region', { name: /wc -l/ }).waitFor();
  await question.getByRole('button', { name: 'Allow', exact: true }).click();
  await question.waitFor({ state: 'detached' });
  await other.getByText('Nothing waits for you').waitFor();
  await other.waitForFunction(() => document.title === 'Kurogo');
  assert.deepEqual((await house.api('/approvals')).approvals, []);
  clean(other);
  await other.context().close();
});

test('every step ends as the house says, with its proofs and attempts', async () => {
  await page.locator('h2').getByText('Completed').waitFor();
  const told = await ended('runs', garden);
  assert.equal(told.output.status, 'done');
  await page.getByText('All steps are proved').waitFor();
  for (const title of [
    'Level the ground',
    'Dig the pond',
    'Lay the stepping stones',
    'Span the bridge',
    'Put up the sign',
  ])
    assert.match(await node(title).innerText(), /Done/);
  assert.match(await node('Dig the pond').innerText(), /Attempt 2/);
  await node('Dig the pond').click();
  await page.waitForURL(/step=pond/);
  const inside = page.locator('.steps details[open]');
  const proofs = (await trace(garden)).filter((e) => e.kind === 'verify' && e.body.step === 'pond').map((e) => e.body);
  assert.deepEqual(
    proofs.map((p) => p.exit),
    [1, 0],
  );
  const shown = await inside.locator('.proof pre').allInnerTexts();
  assert.deepEqual(shown, [proofs[0].output, 'It printed nothing.']);
  assert.match(await inside.locator('.proof figcaption').first().innerText(), /Not passed \(1\)/);
  await node('Span the bridge').click();
  await inside.getByText('3 garden/bridge.md').waitFor();
});

test('the waterfall has every call and every proof, and what they said', async () => {
  await page.getByRole('tab', { name: /Tools and proofs/ }).click();
  const entries = await trace(garden);
  const deeds = entries.filter((e) => e.kind === 'tool_call' || e.kind === 'verify');
  assert.equal(
    await page
      .getByRole('tab', { name: /Tools and proofs/ })
      .locator('.n')
      .innerText(),
    String(deeds.length),
  );
  const bars = await page.locator('.deed b').allInnerTexts();
  assert.deepEqual(
    bars,
    deeds.map((e) =>
      e.kind === 'verify' ? `${e.body.command.join(' ')}${e.body.exit ? ' · failed' : ''}` : e.body.name,
    ),
  );
  await page.locator('.deed', { hasText: 'write_file' }).first().click();
  const look = page.getByRole('region', { name: 'write_file' });
  await look.getByText('"path": "garden/ground.md"').waitFor();
  await look.getByText('"status":"ok"').waitFor();
});

test('what changed is the diff of the house, and undo takes it back', async () => {
  await page.getByRole('tab', { name: /Changes/ }).click();
  const told = await house.api(`/runs/${garden}`);
  same(await page.locator('.diff').first().innerText(), told.output.diff);
  const there = () => told.output.files.map((f) => existsSync(join(house.project, f)));
  assert.deepEqual([...new Set(there())], [true]);
  await page.getByRole('button', { name: 'Undo' }).click();
  const dialog = page.getByRole('dialog');
  await accessible(page, 'the question before an undo');
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await dialog.getByText(`${told.output.files.length} files are as before the run.`).waitFor();
  assert.deepEqual([...new Set(there())], [false]);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
});

test('a deletion that is not allowed is not done', async () => {
  const job = await house.api('/runs', { task: 'clear the stage' });
  await page.goto(`${house.url}/approvals`);
  const question = page.getByRole('region', { name: /May this file be deleted\? stage\/curtain.go/ });
  await question.waitFor();
  await accessible(page, 'the inbox');
  await question.getByRole('button', { name: 'Do not allow' }).click();
  await page.getByText('Nothing waits for you').waitFor();
  const told = await ended('runs', job.job_id);
  assert.equal(told.status, 'failed');
  assert.ok(existsSync(join(house.project, 'stage', 'curtain.go')));
  await page.goto(`${house.url}/runs/${job.job_id}`);
  await page.getByText(told.error).first().waitFor();
  assert.match(await node('Take down the curtain').innerText(), /Failed/);
});

test('the list and its figures are those of the API', async () => {
  await page.goto(`${house.url}/runs`);
  await settled(page);
  const { jobs } = await house.api('/runs');
  assert.deepEqual(
    await page.locator('a.jrow .what > :first-child').allInnerTexts(),
    jobs.map((j) => j.title),
  );
  const stats = await house.api('/stats');
  const tile = (name) => page.locator('.tiles > div', { hasText: name }).locator('dd').innerText();
  assert.equal(await tile('Ended'), String(stats.runs));
  assert.equal(await tile('Success rate'), `${Math.round(stats.success_rate * 100)} %`);
  assert.equal(await tile('Repaired steps'), String(stats.repairs));
  await page.locator('.chip', { hasText: 'Failed' }).click();
  await page.waitForURL(/status=failed/);
  await house.until(async () => (await page.locator('a.jrow').count()) === 1, 'the one that failed');
});

test('one that takes long is cancelled by hand', async () => {
  const job = await house.api('/runs', { task: 'an endless garden' });
  await page.goto(`${house.url}/runs`);
  await page.locator('a.jrow', { hasText: 'an endless garden' }).click();
  await page.getByText('There is no plan yet.').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.locator('h2').getByText('Cancelled').waitFor();
  assert.equal((await ended('runs', job.job_id)).status, 'cancelled');
  clean(page);
});

test('one that was cancelled half-way can be taken back, too', async () => {
  const job = await house.api('/runs', { task: 'lay out the garden' });
  await page.goto(`${house.url}/runs/${job.job_id}`);
  await page.getByText('a known plan is used again').waitFor();
  await page.getByRole('region', { name: /wc -l/ }).waitFor(); // four of its files are written
  assert.ok(existsSync(join(house.project, 'garden', 'bridge.md')));
  await house.api(`/runs/${job.job_id}`, undefined, 'DELETE');
  await page.getByRole('region', { name: /wc -l/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
  await page.getByText('4 files are as before the run.').waitFor();
  assert.ok(!existsSync(join(house.project, 'garden', 'bridge.md')));
  clean(page);
});

test('of five thousand calls only those in sight are there', async () => {
  const many = await look(browser);
  const entries = await trace(garden);
  const call = entries.find((e) => e.kind === 'tool_call');
  const more = Array.from({ length: 5_000 }, (_, i) => ({
    ...call,
    seq: 1_000 + i,
    body: { ...call.body, callId: `more ${i}`, name: `tool_${i}` },
  }));
  const all = [...entries, ...more];
  await many.route('**/api/jobs/*/entries*', (route) => {
    const after = Number(new URL(route.request().url()).searchParams.get('after'));
    const page = all.filter((e) => e.seq > after).slice(0, 1_000);
    return route.fulfill({
      json: { ok: true, data: { entries: page, more: page.at(-1)?.seq !== all.at(-1).seq }, error: null },
    });
  });
  await many.goto(house.door());
  await many.goto(`${house.url}/runs/${garden}?tab=tools`);
  await settled(many);
  const list = many.getByRole('region', { name: 'Tools and proofs' });
  await list.locator('.deed').first().waitFor();
  await list.evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await many.locator('.deed', { hasText: 'tool_4999' }).waitFor();
  assert.ok((await many.locator('.deed').count()) < 60);
  clean(many);
  await many.context().close();
});

test('what was spent is the bill of the API, by whatever it is read', async () => {
  await page.goto(`${house.url}/cost`);
  await settled(page);
  const number = (n) => new Intl.NumberFormat('en').format(n);
  for (const [name, by] of [
    ['Role', 'role'],
    ['Model', 'model'],
    ['Task', 'task'],
    ['Day', 'day'],
  ]) {
    await page.locator('.chip', { hasText: name }).click();
    const { rows } = await house.api(`/cost?by=${by}`);
    await page.locator('.bill th', { hasText: name }).waitFor();
    await house.until(
      async () => (await page.locator('.bill tbody tr').count()) === rows.length,
      `${rows.length} rows`,
    );
    const turns = (await page.locator('.bill tbody tr td:nth-child(2)').allInnerTexts()).sort();
    assert.deepEqual(turns, rows.map((r) => number(r.turns)).sort(), by);
  }
  const all = (await house.api('/cost?by=day')).rows.reduce((n, r) => n + r.turns, 0);
  assert.equal(await page.locator('.bill tfoot td').first().innerText(), number(all));
  clean(page);
});

test('money is measured against its limit, and what is parked waits for a word', async () => {
  const rich = await look(browser);
  const rows = [
    { key: '2026-02-13', turns: 3, micros: 4_200_000, input_tokens: 10, output_tokens: 5, cached_tokens: 0 },
    { key: '2026-02-12', turns: 1, micros: 800_000, input_tokens: 4, output_tokens: 1, cached_tokens: 0 },
  ];
  await rich.route('**/api/cost?*', (route) =>
    route.fulfill({ json: { ok: true, data: { by: 'day', rows }, error: null } }),
  );
  await rich.route('**/api/settings', async (route) => {
    const answer = await route.fetch();
    const told = await answer.json();
    Object.assign(told.data.budget, { day_limit_micros: 5_000_000, day_spent_micros: 4_200_000 });
    await route.fulfill({ response: answer, json: told });
  });
  const parked = {
    kind: 'day',
    spent_micros: 4_200_000,
    limit_micros: 5_000_000,
    waiting: 2,
    since: '2026-02-13T12:00:00Z',
  };
  await rich.routeWebSocket(/\/ws$/, (ws) => {
    const there = ws.connectToServer();
    there.onMessage((text) => {
      const frame = JSON.parse(text);
      if (frame.type === 'snapshot') frame.data.approvals = [parked];
      ws.send(JSON.stringify(frame));
    });
  });
  await rich.goto(house.door());
  await rich.goto(`${house.url}/cost`);
  await settled(rich);
  await rich.getByText('Limit of a day $5.00').waitFor();
  await rich.getByRole('img', { name: /\$5\.00/ }).waitFor(); // both days
  await rich.getByText('The budget of the day is spent').waitFor();
  await rich.getByText('2 messages wait for your word.').waitFor();
  assert.equal(await rich.title(), '(1) Kurogo');
  await accessible(rich, 'a bill in money');
  await rich.context().close();
});

const paths = () => ({
  runs: '/runs',
  run: `/runs/${garden}?tab=steps&step=pond`,
  'run-tools': `/runs/${garden}?tab=tools`,
  'run-changes': `/runs/${garden}?tab=changes`,
  approvals: '/approvals',
  cost: '/cost',
  'cost-task': '/cost?by=task',
});

test('the pages of runs are accessible, narrow enough and still where that is wanted', async () => {
  await proper({ ...paths(), 'run-unknown': '/runs/nobody' });
});

test('pictures of runs', pictured, async () => {
  for (const task of ['clear the stage', 'lay out the garden']) await house.api('/runs', { task });
  await house.until(async () => (await house.api('/approvals')).approvals.length === 2, 'two questions');
  const { runs, run, 'run-tools': tools, approvals, cost } = paths();
  await pictures({ runs, run, 'run-tools': tools, approvals, cost }, ['run']);
});
