// Measures the stage in a browser: a thousand agents at work and 500 events a
// second over the real socket, each figure beside its limit. It ends with 1 when a
// limit is missed, unless --soft is given. BENCH names the program that plays the
// crowd (go build -o … ./bench).
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { launch, look } from './browser.mjs';

const seconds = Number(process.env.MEASURED ?? 60);
const soft = process.argv.includes('--soft');
const dist = join(dirname(fileURLToPath(import.meta.url)), '../../dist');

const rows = [];
const judge = (figure, measured, limit, kept) => rows.push({ figure, measured, limit, kept });
const quantile = (list, p) => [...list].sort((a, b) => a - b)[Math.floor((list.length - 1) * p)] ?? 0;

// What runs in the page: it notes every frame, every long task, and for every event
// how long it took from its commit to the frame behind its arrival.
function observe() {
  const seen = { frames: [], tasks: [], lags: [], events: 0, measuring: false };
  window.seen = seen;
  new PerformanceObserver((list) => {
    if (seen.measuring) for (const e of list.getEntries()) seen.tasks.push(e.duration);
  }).observe({ entryTypes: ['longtask'] });
  let before = 0;
  const frame = (now) => {
    if (seen.measuring && before > 0) seen.frames.push(now - before);
    before = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  const Real = window.WebSocket;
  window.WebSocket = class extends Real {
    constructor(...args) {
      super(...args);
      this.addEventListener('message', (m) => {
        if (!seen.measuring || !m.data.startsWith('{"type":"batch"')) return;
        const times = JSON.parse(m.data).ev.map((e) => e.ts);
        seen.events += times.length;
        requestAnimationFrame(() => {
          const now = Date.now();
          for (const ts of times) seen.lags.push(now - ts);
        });
      });
    }
  };
}

const theatre = spawn(process.env.BENCH ?? '../../bin/bench', ['audience', String(seconds)], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const told = createInterface({ input: theatre.stdout })[Symbol.asyncIterator]();
const next = async () => JSON.parse((await told.next()).value ?? 'null');
const browser = await launch();
let missed = true;
try {
  const { address, agents } = await next();
  const page = await look(browser);
  await page.addInitScript(observe);
  await page.goto(address);
  await page.locator('.live[data-tone="good"]').waitFor();
  await page.locator('a.agent').first().waitFor();
  const origin = new URL(page.url()).origin;

  const paints = [];
  let scripts = [];
  for (let i = 0; i < 5; i++) {
    await page.goto(origin);
    await page.locator('a.agent').first().waitFor();
    paints.push(
      await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN),
    );
    scripts = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map((r) => new URL(r.name).pathname)
        .filter((path) => path.endsWith('.js')),
    );
  }
  const js = scripts.reduce((n, path) => n + gzipSync(readFileSync(join(dist, path)), { level: 9 }).length, 0);

  const cdp = await page.context().newCDPSession(page);
  await cdp.send('HeapProfiler.enable');
  // In ticks of the thread: what others on the machine take away does not count.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () =>
    Object.fromEntries((await cdp.send('Performance.getMetrics')).metrics.map((m) => [m.name, m.value]));
  const heap = async () => {
    await cdp.send('HeapProfiler.collectGarbage');
    return (await cdp.send('Runtime.getHeapUsage')).usedSize / 2 ** 20;
  };
  await page.waitForTimeout(1_000);
  theatre.stdin.write('go\n');
  await page.waitForTimeout(Math.min(10, seconds / 4) * 1_000); // what grows until everything was seen once is no leak
  const before = await heap();
  const work = await spent();
  const began = Date.now();
  await page.evaluate(() => {
    window.seen.measuring = true;
  });
  const end = await next();
  const seen = await page.evaluate(() => {
    window.seen.measuring = false;
    return window.seen;
  });
  const minutes = (Date.now() - began) / 60_000;
  const worked = await spent();
  const slope = ((await heap()) - before) / minutes;
  theatre.stdin.write('\n');

  const fps = seen.frames.length / (seen.frames.reduce((a, b) => a + b, 0) / 1_000);
  const rate = end.events / end.seconds;
  judge('agents at work', String(agents), '≥ 1000', agents >= 1000);
  judge('events a second, committed', rate.toFixed(0), '≥ 490', rate >= 490);
  judge('frames a second', fps.toFixed(1), '≥ 58', fps >= 58);
  judge('frame, p99', `${quantile(seen.frames, 0.99).toFixed(1)} ms`, '≤ 40 ms', quantile(seen.frames, 0.99) <= 40);
  judge(
    'tasks over 50 ms',
    `${seen.tasks.length} (${Math.max(0, ...seen.tasks).toFixed(0)} ms)`,
    '0',
    seen.tasks.length === 0,
  );
  judge('heap, slope', `${slope.toFixed(2)} MiB a minute of ${before.toFixed(1)}`, '≤ 1', slope <= 1);
  judge(
    'commit to frame, p99',
    `${quantile(seen.lags, 0.99).toFixed(0)} ms`,
    '≤ 100 ms',
    quantile(seen.lags, 0.99) <= 100,
  );
  judge('events that came', String(seen.events), '> 0', seen.events > 0);
  judge('first paint, median of 5', `${quantile(paints, 0.5).toFixed(0)} ms`, '≤ 300 ms', quantile(paints, 0.5) <= 300);
  judge('JS of the first load, gzipped', `${(js / 1024).toFixed(1)} KiB`, '≤ 200 KiB', js <= 200 * 1024);

  const share = (name) => ((worked[name] - work[name]) / (minutes * 60)) * 100;
  const parts = `script ${share('ScriptDuration').toFixed(0)}, style ${share('RecalcStyleDuration').toFixed(0)}, layout ${share('LayoutDuration').toFixed(0)}`;
  judge(
    'main thread, of one core',
    `${share('TaskDuration').toFixed(0)} % (${parts})`,
    '≤ 50 %',
    share('TaskDuration') <= 50,
  );
  console.log(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)}, ${browser.version()}, ${seconds} s`);

  const width = Math.max(...rows.map((r) => r.figure.length)) + 2;
  for (const r of rows)
    console.log(`${r.figure.padEnd(width)}${r.measured.padEnd(32)}${r.limit.padEnd(12)}${r.kept ? 'ok' : 'MISSED'}`);
  missed = rows.some((r) => !r.kept);
} finally {
  await browser.close();
  theatre.kill();
}
process.exit(missed && !soft ? 1 : 0);
