// A house of its own for a test in the browser: the real binary, a scratch
// project, an address that lets one browser in.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch } from './browser.mjs';

const here = dirname(fileURLToPath(import.meta.url));

/** freePort is one that nobody has just now. */
async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

export class House {
  static async open() {
    const h = new House();
    h.binary = resolve(process.env.E2E_BINARY ?? '../../bin/kurogo'); // it is started elsewhere
    h.root = mkdtempSync(join(tmpdir(), 'kurogo-e2e-'));
    h.project = join(h.root, 'theatre');
    mkdirSync(join(h.project, 'stage'), { recursive: true });
    cpSync(join(here, 'scene'), h.project, { recursive: true });
    writeFileSync(
      join(h.project, 'stage', 'curtain.go'),
      '// Package stage hangs curtains.\npackage stage\n\n// Width is how many columns a text takes.\nfunc Width(text string) int {\n\treturn len(text)\n}\n',
    );
    const git = (...args) => execFileSync('git', args, { cwd: h.project, stdio: 'pipe' });
    git('init', '-q');
    git('add', '.');
    git('-c', 'user.name=E', '-c', 'user.email=e@example.com', 'commit', '-qm', 'first');
    h.port = await freePort();
    // What is set for another kurogo is not for this one.
    const ours = Object.entries(process.env).filter(([name]) => !name.startsWith('KUROGO_'));
    h.env = { ...Object.fromEntries(ours), KUROGO_STATE_DIR: join(h.root, 'state') };
    await h.start();
    return h;
  }

  /** start lets the owner serve, and waits until it answers. */
  async start() {
    this.process = spawn(this.binary, ['serve', '--set', `server.listen=127.0.0.1:${this.port}`], {
      cwd: this.project,
      env: this.env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.said = '';
    this.process.stderr.on('data', (b) => {
      this.said = (this.said + b).slice(-20_000);
    });
    this.url = `http://127.0.0.1:${this.port}`;
    await this.until(async () => (await fetch(`${this.url}/healthz`)).ok, 'the house to answer');
    this.token = this.run('token').trim();
  }

  /** stop ends it in order; start may follow. */
  async stop() {
    if (!this.process || this.process.exitCode !== null) return;
    const ended = new Promise((done) => this.process.once('exit', done));
    this.process.kill('SIGINT');
    await ended;
  }

  async close() {
    await this.stop();
    rmSync(this.root, { recursive: true, force: true });
  }

  run(...args) {
    return execFileSync(this.binary, args, {
      cwd: this.project,
      env: this.env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** door is an address at which one browser gets its cookie. */
  door() {
    return this.run('token', '--url').trim();
  }

  /** api asks the REST interface as the owner. */
  async api(path, body, method = body ? 'POST' : 'GET') {
    const response = await fetch(`${this.url}/api${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.token}`, ...(body ? { 'Content-Type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const { ok, data, error } = await response.json();
    if (!ok) throw new Error(`${method} ${path}: ${JSON.stringify(error)}`);
    return data;
  }

  /** until waits for a condition, looking often. */
  async until(condition, what, ms = 20_000) {
    const end = Date.now() + ms;
    for (;;) {
      try {
        const got = await condition();
        if (got) return got;
      } catch (e) {
        if (Date.now() > end) throw new Error(`waited for ${what}: ${e.message}\n${this.said}`);
      }
      if (Date.now() > end) throw new Error(`waited for ${what}\n${this.said}`);
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}

// What the tests of a file share, which have a process of their own.
export let house;
export let browser;

/** inHouse has the tests of a file begin with a house and a browser, and with what begin does there. */
export function inHouse({ open = House.open, begin } = {}) {
  before(async () => {
    house = await open();
    browser = await launch();
    await begin?.();
  });
  after(async () => {
    await browser?.close();
    await house?.close();
  });
}
