// What the lines of an agent's stream say, whoever wrote them: rehearsal, Claude
// Code, Codex, Cursor. A line that nobody here understands is kept as it is.

export type Entry =
  | { kind: 'text' | 'thinking' | 'note' | 'raw'; text: string }
  | { kind: 'tool'; id: string; name: string; args: string; state: 'started' | 'completed' | 'failed'; output: string }
  | { kind: 'file'; path: string; change: string };

type Json = Record<string, unknown>;

const object = (v: unknown): Json => (typeof v === 'object' && v !== null && !Array.isArray(v) ? (v as Json) : {});
const text = (v: unknown): string => (typeof v === 'string' ? v : '');
const list = (v: unknown): unknown[] => (Array.isArray(v) ? v : []);
const compact = (v: unknown): string => (typeof v === 'string' ? v : v === undefined ? '' : JSON.stringify(v));

/** A reader takes lines and keeps what they have said so far. */
export class Transcript {
  readonly entries: Entry[] = [];
  private tools = new Map<string, number>();
  private rest = '';

  /** add takes a piece of the stream; what is no whole line waits for the next piece. */
  add(piece: string): void {
    const lines = (this.rest + piece).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.line(line);
  }

  /** end takes what is left without an end of line. */
  end(): void {
    const rest = this.rest;
    this.rest = '';
    this.line(rest);
  }

  private line(line: string): void {
    if (line.trim() === '') return;
    let said: Json;
    try {
      said = object(JSON.parse(line));
    } catch {
      this.entries.push({ kind: 'raw', text: line });
      return;
    }
    this.said(said);
  }

  private said(o: Json): void {
    const type = text(o.type);
    switch (type) {
      case 'thinking':
      case 'text':
        return this.words(type, text(o.text));
      case 'tool_started':
        return this.tool(text(o.id), text(o.name), compact(o.input), 'started');
      case 'tool_ended':
        return this.tool(text(o.id), text(o.name), '', 'completed', compact(o.output));
      case 'changed':
        this.entries.push({ kind: 'file', path: text(o.path), change: text(o.change) });
        return;
      case 'assistant':
      case 'user':
        return this.blocks(object(o.message));
      case 'tool_call':
        return this.cursor(o);
      case 'item.started':
      case 'item.completed':
        return this.item(object(o.item), type === 'item.completed');
      case 'result':
        if (o.is_error === true) this.words('note', text(o.result) || text(o.subtype));
        return;
      case 'error':
      case 'turn.failed':
        return this.words('note', text(o.message) || text(object(o.error).message));
    }
  }

  private words(kind: 'text' | 'thinking' | 'note', said: string): void {
    if (said.trim() === '') return;
    const last = this.entries.at(-1);
    if (last?.kind === kind && last.text === said) return; // a final text repeats the last one
    this.entries.push({ kind, text: said });
  }

  private tool(id: string, name: string, args: string, state: 'started' | 'completed' | 'failed', output = ''): void {
    const known = this.tools.get(id);
    const before = known === undefined ? undefined : this.entries[known];
    if (known !== undefined && before?.kind === 'tool') {
      this.entries[known] = { ...before, name: name || before.name, args: args || before.args, state, output };
      return;
    }
    this.tools.set(id, this.entries.length);
    this.entries.push({ kind: 'tool', id, name, args, state, output });
  }

  // Claude Code and Cursor: a message of blocks.
  private blocks(message: Json): void {
    for (const raw of list(message.content)) {
      const b = object(raw);
      switch (b.type) {
        case 'text':
          if (message.role !== 'user') this.words('text', text(b.text));
          break;
        case 'thinking':
          this.words('thinking', text(b.thinking));
          break;
        case 'tool_use':
          this.tool(text(b.id), text(b.name), compact(b.input), 'started');
          break;
        case 'tool_result': {
          const parts = list(b.content).map((p) => text(object(p).text));
          const output = typeof b.content === 'string' ? b.content : parts.join('\n');
          this.tool(text(b.tool_use_id), '', '', b.is_error === true ? 'failed' : 'completed', output);
        }
      }
    }
  }

  // Cursor: {"tool_call":{"readToolCall":{"args":…}}}
  private cursor(o: Json): void {
    if (typeof o.name === 'string') {
      // A rehearsal asks us for one of our tools, and is answered at once.
      this.tool(text(o.id), o.name, compact(o.input), 'completed');
      return;
    }
    const [name, call] = Object.entries(object(o.tool_call))[0] ?? ['tool', {}];
    const state = o.subtype === 'completed' ? 'completed' : 'started';
    this.tool(text(o.call_id), name.replace(/ToolCall$/, ''), compact(object(call).args), state);
  }

  // Codex: an item that begins and ends.
  private item(i: Json, ended: boolean): void {
    const id = text(i.id);
    const state = i.status === 'failed' ? 'failed' : ended ? 'completed' : 'started';
    switch (i.type) {
      case 'agent_message':
        if (ended) this.words('text', text(i.text));
        return;
      case 'reasoning':
        if (ended) this.words('thinking', text(i.text));
        return;
      case 'command_execution':
        return this.tool(id, 'shell', text(i.command), state, text(i.aggregated_output));
      case 'mcp_tool_call':
        return this.tool(
          id,
          `${text(i.server)}.${text(i.tool)}`,
          compact(i.arguments),
          state,
          compact(object(i.result).content),
        );
      case 'file_change':
        for (const c of ended ? list(i.changes) : []) {
          this.entries.push({ kind: 'file', path: text(object(c).path), change: text(object(c).kind) });
        }
        return;
      case 'error':
        return this.words('note', text(i.message));
    }
  }
}
