// A client of the TypeScript SDK on its own WebSocket transport. It does what it
// is told on stdin, a line each, all at once, and says on stdout what comes of
// it: {id, …} about what was told under that id.
//
//   node websocket.mjs SDK URL
//   {"id":1,"list":true}                      the names of the tools
//   {"id":2,"tool":"…","arguments":{…}}       use one
//   {"withdraw":2}                            no longer want it
import { createInterface } from "node:readline";

const [sdk, url] = process.argv.slice(2);
const { Client } = await import(`${sdk}/dist/esm/client/index.js`);
const { WebSocketClientTransport } = await import(`${sdk}/dist/esm/client/websocket.js`);

const say = (word) => process.stdout.write(JSON.stringify(word) + "\n");
const client = new Client({ name: "websocket.mjs", version: "1" });
try {
  await client.connect(new WebSocketClientTransport(new URL(url)));
} catch (e) {
  say({ id: 0, error: { message: String(e.message ?? e) } });
  process.exit(0);
}
say({ id: 0, result: client.getServerVersion() });

const open = new Map();

async function hear({ id, list, tool, arguments: input, withdraw }) {
  if (withdraw) {
    open.get(withdraw).abort("no longer wanted");
    return;
  }
  const abort = new AbortController();
  open.set(id, abort);
  const options = {
    signal: abort.signal,
    timeout: 120_000,
    onprogress: (progress) => say({ id, progress }),
  };
  try {
    const result = list ? await client.listTools() : await client.callTool({ name: tool, arguments: input }, undefined, options);
    say({ id, result });
  } catch (e) {
    say({ id, error: { code: e.code, message: String(e.message ?? e), data: e.data } });
  }
  open.delete(id);
}

for await (const line of createInterface({ input: process.stdin })) {
  void hear(JSON.parse(line));
}
await client.close();
