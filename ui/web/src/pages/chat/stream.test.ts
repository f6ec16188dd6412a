import { afterEach, expect, it, vi } from 'vitest';
import { Events, say } from './stream.ts';

const text =
  ': hello\n\nevent: accepted\ndata: {"session_id":"s"}\n\nevent: delta\r\ndata: {"text":"黒衣"}\r\n\r\ndata: a\ndata: b\n\nevent: lost\n\n';

it('reads events wherever the pieces are cut', () => {
  const whole = new Events().take(text);
  expect(whole).toEqual([
    { name: 'accepted', data: '{"session_id":"s"}' },
    { name: 'delta', data: '{"text":"黒衣"}' },
    { name: 'message', data: 'a\nb' },
  ]);
  for (let n = 1; n < text.length; n++) {
    const events = new Events();
    const got = [];
    for (let i = 0; i < text.length; i += n) got.push(...events.take(text.slice(i, i + n)));
    expect(got).toEqual(whole);
  }
});

afterEach(() => vi.unstubAllGlobals());

// What the house answers, in the pieces it comes in.
function answers(status: number, type: string, pieces: string[]) {
  const fetched = vi.fn(async (_path: string, _init: RequestInit) => {
    const body = new ReadableStream({
      start(c) {
        for (const p of pieces) c.enqueue(new TextEncoder().encode(p));
        c.close();
      },
    });
    return new Response(body, { status, headers: { 'Content-Type': type } });
  });
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

const ear = () => {
  const heard: unknown[] = [];
  return {
    heard,
    accepted: (t: unknown) => heard.push(['accepted', t]),
    delta: (t: string) => heard.push(t),
    reset: () => heard.push('reset'),
  };
};
const done = 'event: done\ndata: {"session_id":"s","message":{"id":"a"}}\n\n';
const said = { user_input: 'hello', session_id: 's' };
const ask = (e: ReturnType<typeof ear>) => say(said, 'k', e, new AbortController().signal);

it('says what the document says, and hears the answer as it comes', async () => {
  const fetched = answers(200, 'text/event-stream', [
    'event: accepted\ndata: {"session_id":"s","message":{"id":"q"}}\n\nevent: delta\ndata: {"te',
    'xt":"wrong"}\n\nevent: reset\ndata: {}\n\nevent: delta\ndata: {"text":"right"}\n\n',
    done,
  ]);
  const e = ear();
  await expect(ask(e)).resolves.toEqual({ session_id: 's', message: { id: 'a' } });
  expect(e.heard).toEqual([['accepted', { session_id: 's', message: { id: 'q' } }], 'wrong', 'reset', 'right']);
  const [path, init] = fetched.mock.calls[0] ?? [];
  expect(path).toBe('/api/chat');
  expect(JSON.parse(String(init?.body))).toEqual(said);
  expect(init?.headers).toMatchObject({ Accept: 'text/event-stream', 'Idempotency-Key': 'k' });
});

it('takes an answer in one piece', async () => {
  answers(200, 'application/json', ['{"ok":true,"error":null,"data":{"session_id":"s","message":{"id":"a"}}}']);
  await expect(ask(ear())).resolves.toEqual({ session_id: 's', message: { id: 'a' } });
});

for (const [what, status, type, body, code] of [
  ['a refusal', 503, 'application/json', '{"ok":false,"data":null,"error":{"code":"busy","message":"m"}}', 'busy'],
  ['no envelope', 502, 'text/html', '<h1>no</h1>', 'internal'],
  [
    'a failure that calls itself a success',
    500,
    'application/json',
    '{"ok":true,"data":null,"error":null}',
    'internal',
  ],
  [
    'a fault on the way',
    200,
    'text/event-stream',
    'event: fault\ndata: {"code":"cancelled","message":"m"}\n\n',
    'cancelled',
  ],
  ['an answer that breaks off', 200, 'text/event-stream', 'event: delta\ndata: {"text":"a"}\n\n', 'unavailable'],
  ['an event that is none', 200, 'text/event-stream', 'event: done\ndata: {{{\n\n', 'unavailable'],
] as const) {
  it(`refuses ${what}`, async () => {
    answers(status, type, [body]);
    await expect(ask(ear())).rejects.toMatchObject({ fault: { code } });
  });
}

it('tells a house that is away from one that is left', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('failed to fetch');
  });
  await expect(ask(ear())).rejects.toMatchObject({ fault: { code: 'unavailable' } });
  const gone = new AbortController();
  gone.abort();
  await expect(say(said, 'k', ear(), gone.signal)).rejects.toBeInstanceOf(TypeError);
});
