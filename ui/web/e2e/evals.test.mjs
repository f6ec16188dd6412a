// What is judged on the stage is what the house has judged.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessible, clean, look, pictured } from './browser.mjs';
import { browser, house } from './house.mjs';
import { ended, idOf, page, pictures, proper, withJobs } from './jobs.mjs';
import { settled } from './play.mjs';

let improved; // the evaluation that the tests after it look at

withJobs([/403/]);

const figure = (n) => n.toFixed(1);
const suggestions = () => page.getByRole('region', { name: 'Suggestions' }).locator('li p');

test('a pasted text is judged', async () => {
  await page.goto(`${house.url}/evals`);
  await page.getByText('No document was judged yet').waitFor();
  await page.getByRole('button', { name: 'New evaluation' }).click();
  const form = page.getByRole('dialog');
  await accessible(page, 'the form of an evaluation');
  await form.getByLabel('Text').fill('The doors open.\n');
  await form.getByLabel('Target').fill('3.5');
  await form.getByRole('button', { name: 'Judge it' }).click();
  await page.waitForURL(/\/evals\/[0-9a-f-]{36}$/);
  await page.locator('h2').getByText('Completed').waitFor();
  const told = await house.api(`/evaluations/${idOf()}`);
  assert.equal(told.input.target_score, 3.5);
  const [round] = told.rounds;
  await page.locator('h2 .verdict').getByText(figure(round.verdict.score)).waitFor();
  const bars = await page.locator('.criteria dd').allInnerTexts();
  assert.deepEqual(
    bars.map((x) => x.trim()),
    ['completeness', 'accuracy', 'clarity', 'usability'].map((c) => figure(round.verdict.rubric_scores[c])),
  );
  assert.deepEqual(
    await suggestions().allInnerTexts(),
    round.verdict.suggestions.map((s) => s.text),
  );
  assert.equal(await page.locator('.chart').count(), 0, 'one round is no chart');
});

test('a file is improved before our eyes until it is good enough, and written back', async () => {
  const file = join(house.project, 'notice.md');
  writeFileSync(file, 'The doors open.\n');
  await page.goto(`${house.url}/evals`);
  await page.getByRole('button', { name: 'New evaluation' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('button', { name: 'A file' }).click();
  await form.getByLabel('Path below the project').fill('notice.md');
  await form.getByLabel('Rewrite it until it is good enough').check();
  await form.getByLabel('Replace the file').check();
  await form.getByRole('button', { name: 'Improve it' }).click();
  await page.waitForURL(/\/evals\/[0-9a-f-]{36}$/);
  await page.getByRole('group', { name: 'Rounds' }).waitFor(); // the second round came by itself
  await page.locator('h2').getByText('Completed').waitFor();
  improved = idOf();
  const told = await house.api(`/evaluations/${improved}`);
  assert.equal(told.output.stop, 'target');
  assert.equal(readFileSync(file, 'utf8'), told.output.document);
  await page.getByText('The target is reached').waitFor();
  await page.getByRole('img', { name: /Scores of 3 rounds against the target 8.0/ }).waitFor();
  const scores = await page.locator('button.round b').allInnerTexts();
  assert.deepEqual(
    scores.map((x) => x.trim().split(/\s+/).at(-1)),
    told.rounds.map((r) => figure(r.verdict.score)),
  );
});

test('each round is looked at by itself, also by keyboard, and the address says which', async () => {
  const told = await house.api(`/evaluations/${improved}`);
  assert.deepEqual(
    await suggestions().allInnerTexts(),
    told.rounds[2].verdict.suggestions.map((s) => s.text),
    'the last round comes first',
  );
  await page.getByRole('button', { name: /^Round 1 / }).focus();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(/round=2/);
  await page.getByText(told.rounds[1].verdict.suggestions[0].text).waitFor();
  assert.deepEqual(
    await suggestions().allInnerTexts(),
    told.rounds[1].verdict.suggestions.map((s) => s.text),
  );
  const diff = await page.locator('.diff').innerText();
  assert.equal(diff.replaceAll(/\s+/g, ''), told.versions[0].diff.replaceAll(/\s+/g, ''));
  await page.reload();
  await page.getByText(told.rounds[1].verdict.suggestions[0].text).waitFor();
});

test('what was rewritten is shown version by version and as a whole', async () => {
  const told = await house.api(`/evaluations/${improved}`);
  await page.getByRole('tab', { name: 'Changes' }).click();
  const shown = (await page.locator('.diff').allInnerTexts()).map((x) => x.replaceAll(/\s+/g, ''));
  assert.deepEqual(
    shown,
    [told.output.diff, ...told.versions.map((v) => v.diff)].map((x) => x.replaceAll(/\s+/g, '')),
  );
  await page.getByRole('tab', { name: 'Document' }).click();
  const papers = await page.locator('.paper').allInnerTexts();
  assert.deepEqual(
    papers.map((x) => x.trim()),
    [told.output.document.trim(), told.input.document.trim()],
  );
});

test('what a terminal has judged comes into the list, with the worst first', async () => {
  await page.goto(`${house.url}/evals`);
  await settled(page);
  writeFileSync(join(house.project, 'plain.md'), '# A plain text\n\nIt says little.\n');
  try {
    house.run('evaluate', 'plain.md', '--evaluator', 'heuristic');
  } catch (e) {
    assert.equal(e.status, 1, e.stderr); // below its target
  }
  const row = page.locator('a.jrow', { hasText: 'plain.md' });
  await row.locator('.verdict').waitFor();
  const { jobs } = await house.api('/evaluations');
  const told = await house.api(`/evaluations/${jobs.find((j) => j.title === 'plain.md').job_id}`);
  const { verdict, model_used } = told.rounds[0];
  assert.equal(model_used, 'heuristic');
  const worst = Math.min(...Object.values(verdict.rubric_scores));
  const [score, first, more] = await row.locator('.verdict .tag').allInnerTexts();
  assert.ok(score.includes(figure(verdict.score)), score);
  assert.ok(first.endsWith(figure(worst)), first);
  assert.equal(more, '+3');
  assert.equal(await page.locator('a.jrow').count(), jobs.length);
  await row.click();
  await page.getByText('heuristic, no model').waitFor();
});

test('a refusal stands in the form, and the form stays', async () => {
  await page.goto(`${house.url}/evals`);
  await page.getByRole('button', { name: 'New evaluation' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('button', { name: 'A file' }).click();
  await form.getByLabel('Path below the project').fill('../../nowhere.md');
  await form.getByRole('button', { name: 'Judge it' }).click();
  await form.getByRole('alert').waitFor();
  assert.equal(await form.getByLabel('Path below the project').inputValue(), '../../nowhere.md');
  await page.keyboard.press('Escape');
});

test('one that takes long is cancelled by hand', async () => {
  const job = await house.api('/evaluations', { content: 'This is an endless scroll.' });
  await page.goto(`${house.url}/evals?status=running`);
  await page.locator('a.jrow').click();
  await page.getByText('the evaluator works').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.locator('h2').getByText('Cancelled').waitFor();
  assert.equal((await ended('evaluations', job.job_id)).status, 'cancelled');
  clean(page);
});

test('of two hundred rounds only those in sight are there, and all can be reached', async () => {
  const told = await house.api(`/evaluations/${improved}`);
  const rounds = Array.from({ length: 200 }, (_, i) => ({
    ...told.rounds[i % 3],
    number: i + 1,
    version: i,
    verdict: { ...told.rounds[i % 3].verdict, score: Math.round(20 + (i / 200) * 60) / 10 },
  }));
  const many = await look(browser);
  await many.route('**/api/evaluations/many', (route) =>
    route.fulfill({ json: { ok: true, data: { ...told, job_id: 'many', rounds, versions: [] }, error: null } }),
  );
  await many.goto(house.door());
  await many.goto(`${house.url}/evals/many`);
  await settled(many);
  await many.getByRole('img', { name: /Scores of 200 rounds/ }).waitFor();
  const there = () => many.locator('button.round').count();
  await many.getByRole('button', { name: /^Round 200 / }).waitFor(); // the last one is looked at
  assert.ok((await there()) < 60, `${await there()} rows at the end`);
  await many.getByRole('group', { name: 'Rounds' }).evaluate((box) => box.scrollTo(0, 0));
  await many.getByRole('button', { name: /^Round 1 / }).click();
  await many.waitForURL(/round=1$/);
  assert.ok((await there()) < 60, `${await there()} rows at the beginning`);
  await accessible(many, 'two hundred rounds');
  clean(many);
  await many.context().close();
});

const paths = () => ({
  evals: '/evals',
  eval: `/evals/${improved}`,
  'eval-changes': `/evals/${improved}?tab=changes`,
  'eval-document': `/evals/${improved}?tab=document`,
});

test('the pages of evaluations are accessible, narrow enough and still where that is wanted', async () => {
  await proper({ ...paths(), 'eval-unknown': '/evals/nobody' });
});

test('pictures of evaluations', pictured, async () => {
  const { evals, eval: one } = paths();
  await pictures({ evals, eval: one }, ['eval']);
});
