// Roles of one's own: copied, run, deleted, each in the file of the project.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessible, clean, look } from './browser.mjs';
import { browser, house, inHouse } from './house.mjs';
import { settled } from './play.mjs';

inHouse();

const file = () => readFileSync(join(house.project, 'kurogo.toml'), 'utf8');
const role = async (id) => (await house.api('/roles')).roles.find((r) => r.id === id);

test('a role is copied, and taken away again', async () => {
  const page = await look(browser);
  await page.goto(house.door());
  await page.goto(`${house.url}/roles?role=text-review`);
  await settled(page);
  const before = file();
  const of = (id) => page.locator('details.role', { has: page.getByText(id, { exact: true }) });

  await of('text-review').getByRole('button', { name: 'Copy as a new role' }).click();
  const box = page.getByRole('dialog');
  await box.getByLabel('Id of the new role').fill('code-review');
  await box.getByRole('button', { name: 'Show what changes' }).click();
  await box.getByRole('alert').waitFor(); // there is one of that name
  await box.getByLabel('Id of the new role').fill('haiku-review');
  await box.getByLabel('Name').fill('Reviewer of haiku');
  await box.getByRole('button', { name: 'Show what changes' }).click();
  await box.locator('.diff').waitFor();
  assert.match(await box.locator('.diff').innerText(), /haiku-review/);
  assert.equal(file(), before, 'looking changes nothing');
  await accessible(page, 'the copy of a role');
  await box.getByRole('button', { name: 'Save to kurogo.toml' }).click();
  await box.waitFor({ state: 'detached' });
  await of('haiku-review').waitFor();
  const made = await house.until(() => role('haiku-review'), 'the new role');
  assert.deepEqual([made.name, made.driver], ['Reviewer of haiku', 'understudy']);
  assert.match(file(), /haiku-review/);
  await house.until(async () => (await role('haiku-review')).available, 'the new role to be well');

  await page.goto(`${house.url}/roles?role=haiku-review`);
  await settled(page);
  await of('haiku-review').getByRole('button', { name: 'Delete', exact: true }).click();
  await box.getByRole('button', { name: 'Show what changes' }).click();
  await box.locator('.diff').waitFor();
  await box.getByRole('button', { name: 'Save to kurogo.toml' }).click();
  await of('haiku-review').waitFor({ state: 'detached' });
  assert.equal(file(), before, 'what was made is gone without a trace');
  assert.equal(await role('haiku-review'), undefined);
  clean(page);
});
