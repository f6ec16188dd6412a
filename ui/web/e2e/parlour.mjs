// A house whose chats are answered by a model that the test holds: it speaks when it
// is told to, as long as it is told to, or fails.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after } from 'node:test';
import { House, inHouse } from './house.mjs';

/** A model that speaks the way of Ollama. What it is asked waits in asked, until it is answered. */
export class Model {
  asked = [];
  script = []; // of [pattern, answer]; the first that fits and is left counts

  static async open() {
    const m = new Model();
    m.server = createServer((request, response) => m.hear(request, response));
    await new Promise((done) => m.server.listen(0, '127.0.0.1', done));
    m.url = `http://127.0.0.1:${m.server.address().port}`;
    return m;
  }

  close() {
    this.server.closeAllConnections();
    this.server.close();
  }

  async hear(request, response) {
    const json = (value) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(value));
    };
    if (request.url === '/api/version') return json({ version: '0.0.0-test' });
    if (request.url === '/api/tags') return json({ models: [{ name: 'scripted:latest' }] });
    let body = '';
    for await (const piece of request) body += piece;
    const { messages, stream } = JSON.parse(body);
    const question = messages.at(-1).content;
    const line = (content, done) => ({
      model: 'scripted',
      message: { role: 'assistant', content },
      done,
      ...(done ? { done_reason: 'stop', prompt_eval_count: 100, eval_count: 20 } : {}),
    });
    const turn = {
      question,
      messages,
      say(text) {
        if (stream !== false) response.write(`${JSON.stringify(line(text, false))}\n`);
        else turn.whole = (turn.whole ?? '') + text;
      },
      end() {
        response.end(`${JSON.stringify(line(turn.whole ?? '', true))}\n`);
      },
      fail(status = 500) {
        response.statusCode = status;
        json({ error: 'the model has lost its voice' });
      },
    };
    response.setHeader('Content-Type', 'application/x-ndjson');
    const at = this.script.findIndex(([pattern]) => pattern.test(question));
    if (at < 0) {
      this.asked.push(turn); // the test holds it
      return;
    }
    const [[, answer]] = this.script.splice(at, 1);
    if (typeof answer === 'string') {
      turn.say(answer);
      turn.end();
    } else answer(turn);
  }

  /** answers says what will be said to the next question that fits. */
  answers(pattern, answer) {
    this.script.push([pattern, answer]);
  }

  /** next is the question that waits for the test, as soon as there is one that fits. */
  next(house, pattern = /./) {
    return house.until(() => {
      const at = this.asked.findIndex((a) => pattern.test(a.question));
      return at < 0 ? undefined : this.asked.splice(at, 1)[0];
    }, `the model to be asked ${pattern}`);
  }
}

const config = (url, language, more) => `language = "${language}"
driver = "rehearsal"
health_check = "off"

[server]
listen = "127.0.0.1:0"
mcp_websocket_listen = ""

[drivers.ollama]
kind = "hermes"
endpoint = "${url}"
model = "scripted"

[roles.research]
driver = "ollama"
system_prompt = "You know the house."

[chat]
role = "research"
${more}`;

const curtain = `// Package stage hangs curtains.
package stage

// Width is how many columns a text takes. A wide letter takes two of them.
func Width(text string) int {
	n := 0
	for _, r := range text {
		n += columns(r)
	}
	return n
}

func columns(r rune) int {
	if r >= 0x1100 {
		return 2
	}
	return 1
}
`;

const files = {
  'stage/curtain.go': curtain,
  'stage/curtain_test.go':
    'package stage\n\nimport "testing"\n\n// TestWidth measures wide letters of a curtain.\nfunc TestWidth(t *testing.T) {\n\tif Width("幕") != 2 {\n\t\tt.Error("a wide letter is narrow")\n\t}\n}\n',
  'stage/rope.go':
    '// Package stage hangs curtains.\npackage stage\n\n// Knot ties the rope of the curtain, and says how many knots it has.\nfunc Knot(rope string) int {\n\treturn len(rope) / 3\n}\n',
  'README.md':
    '# Theatre\n\n## The curtain\n\nThe curtain is measured in columns: a wide letter takes two.\n\n## 幕について\n\n幕の幅は桁数で測ります。全角文字は二桁です。\n',
};

/** parlour opens a house with a model, and with a project that can be asked about. More is more of its configuration. */
export async function parlour({ language = 'en', more = '' } = {}) {
  const model = await Model.open();
  const house = await House.open();
  await house.stop();
  // What nobody plays here is no part of the project.
  if (!more) {
    for (const path of readdirSync(house.project)) if (path.endsWith('play.toml')) rmSync(join(house.project, path));
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(house.project, path, '..'), { recursive: true });
    writeFileSync(join(house.project, path), text);
  }
  writeFileSync(join(house.project, 'kurogo.toml'), config(model.url, language, more));
  await house.start();
  house.run('index');
  return { house, model };
}

export let model;

/** inParlour has the tests of a file begin in a parlour. */
export function inParlour() {
  inHouse({
    open: async () => {
      const opened = await parlour();
      model = opened.model;
      return opened.house;
    },
  });
  after(() => model?.close());
}
