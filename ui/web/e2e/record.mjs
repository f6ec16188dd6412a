// A short walk over the stage, frame by frame, for a film of it:
//
//	make build
//	node e2e/record.mjs FRAMES
//	go run -C ../../tools ./film -out ../docs/stage.gif FRAMES
//
// Everything is played: by the rehearsal, and by a model of our own that says what
// stands here. A frame's name ends with how many milliseconds it is seen.
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { launch, look } from './browser.mjs';
import { parlour } from './parlour.mjs';
import { settled } from './play.mjs';

const [to] = process.argv.slice(2);
if (!to) throw new Error('say where the frames go');
const frames = resolve(to);
rmSync(frames, { recursive: true, force: true });
mkdirSync(frames, { recursive: true });

const roles = ['impl-code', 'impl-test', 'code-review', 'text-review', 'reader'];
const { house, model } = await parlour({
  more: `
[limits]
max_concurrent = 6

[drivers.understudy]
kind = "rehearsal"
performance = "play.toml"
${roles.map((r) => `\n[roles.${r}]\ndriver = "understudy"\n`).join('')}`,
});
const browser = await launch();
const page = await look(browser, { theme: 'dark', lang: 'en', width: 1120, height: 660 });

let n = 0;
const shot = (seen) => page.screenshot({ path: join(frames, `${String(++n).padStart(4, '0')}-${seen}.png`) });
/** film takes frames for as long as something is done, and holds the last. */
async function film(what, hold = 900, every = 200) {
  let going = true;
  const done = Promise.resolve(what()).finally(() => {
    going = false;
  });
  while (going) {
    await shot(every);
    await page.waitForTimeout(every / 2);
  }
  await done;
  await shot(hold);
}
const pause = (ms) => page.waitForTimeout(ms);

try {
  await page.goto(house.door());
  await settled(page);
  await shot(900);

  // A crew is asked, and a group begins to work.
  await film(async () => {
    await house.api('/tasks', { content: 'Sew me a noren, a shop curtain for the terminal.' });
    const group = await house.api('/groups', { description: 'Mend the curtain before the evening' });
    await pause(500);
    await house.api(`/groups/${group.groupId}/agents`, {
      agents: [
        { role: 'impl-code', prompt: 'Mend the width of wide characters.' },
        { role: 'code-review', prompt: 'A long look over the curtain.' },
        { role: 'text-review', prompt: 'Weigh the words of the manual.' },
        { role: 'impl-test', prompt: 'Climb the rope and fall.' },
        { role: 'reader', prompt: 'A long look at everything.' },
      ],
    });
    await pause(5_000);
  });

  // One of them, as closely as one can look.
  const { agents } = await house.api('/agents');
  const reader = agents.find((a) => a.role === 'reader');
  await page.locator(`a.agent[href*="${reader.agentId}"]`).click();
  await settled(page);
  await film(() => pause(1_600));

  // What was said behind the stage.
  await page.getByRole('link', { name: 'Flow' }).click();
  await settled(page);
  await film(() => pause(1_200), 1_400);

  // The project is asked; the answer comes word by word, with the lines it leans on.
  await page.getByRole('link', { name: 'Chat' }).click();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await film(
    () =>
      page
        .getByRole('textbox', { name: 'Message' })
        .pressSequentially('How wide is a curtain with 幕 on it?', { delay: 45 }),
    400,
  );
  const words =
    'A curtain is measured in **columns**, and a wide letter takes two of them: `stage/curtain.go#L4-L14`.\n\n- letters from U+1100 on: **2**\n- all others: **1**\n\nThe test measures 幕: `stage/curtain_test.go#L5-L10`.';
  await film(async () => {
    await page.keyboard.press('Enter');
    const turn = await model.next(house, /How wide/);
    for (const piece of words.match(/.{1,9}/gs)) {
      turn.say(piece);
      await pause(70);
    }
    turn.end();
    await page.locator('.sources').waitFor();
    await page.locator('.sources summary').click();
    await pause(300);
  }, 1_800);

  // And the lines themselves.
  await page.locator('.md a', { hasText: 'stage/curtain.go#L4-L14' }).click();
  await page.locator('.source [data-here]').waitFor();
  await page.locator('.hit').first().waitFor();
  await pause(400);
  await shot(2_200);
} finally {
  await browser.close();
  await house.close();
  model.close();
}
console.log(`${n} frames in ${frames}`);
