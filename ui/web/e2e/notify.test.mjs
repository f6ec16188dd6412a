// Notices of the browser: off until somebody asks, and only while he looks elsewhere.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible, clean, look } from './browser.mjs';
import { browser, house } from './house.mjs';
import { inParlour } from './parlour.mjs';

inParlour();

test('who asked for it is called when a task ends while he looks elsewhere', async () => {
  const page = await look(browser);
  await page.addInitScript(() => {
    window.called = [];
    window.away = false;
    document.hasFocus = () => !window.away;
    let permission = 'default';
    window.Notification = class {
      static get permission() {
        return permission;
      }
      static async requestPermission() {
        permission = 'granted';
        return permission;
      }
      constructor(title, options) {
        this.title = title;
        Object.assign(this, options);
        window.called.push(this);
      }
      close() {}
    };
  });
  await page.goto(house.door());
  await page.goto(`${house.url}/settings`);
  const box = page.getByLabel('Call me when something ends or waits for me');
  await box.waitFor();
  const ends = async () => {
    const { taskId } = await house.api('/tasks', { content: 'Sew me a noren, a shop curtain for the terminal.' });
    await house.until(
      async () => (await house.api(`/tasks/${taskId}`)).status === 'completed',
      'the task to end',
      60_000,
    );
    return taskId;
  };
  const called = () => page.evaluate(() => window.called.map(({ title, body, tag }) => ({ title, body, tag })));

  assert.equal(await box.isChecked(), false);
  await page.evaluate(() => {
    window.away = true;
  });
  await ends();
  await page.waitForTimeout(2_500);
  assert.deepEqual(await called(), [], 'nobody had asked');

  await box.check();
  await accessible(page, 'the switch of notices');
  const id = await ends();
  await house.until(async () => (await called()).length > 0, 'the notice');
  assert.deepEqual(await called(), [
    { title: 'Task finished', body: 'Sew me a noren, a shop curtain for the terminal.', tag: `task ${id}` },
  ]);
  await page.evaluate(() => window.called[0].onclick());
  await page.waitForURL(`${house.url}/tasks/${id}`);

  await page.evaluate(() => {
    window.away = false;
  });
  await ends();
  await page.waitForTimeout(2_500);
  assert.equal((await called()).length, 1, 'who looks is not called');
  clean(page);
});
