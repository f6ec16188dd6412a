import { expect, it } from 'vitest';
import { type Entry, Transcript } from './transcript.ts';

const read = (...lines: (object | string)[]): Entry[] => {
  const t = new Transcript();
  for (const l of lines) t.add(`${typeof l === 'string' ? l : JSON.stringify(l)}\n`);
  t.end();
  return t.entries;
};

it('reads a rehearsal, and the last words once', () => {
  expect(
    read(
      { type: 'ready' },
      { type: 'thinking', text: 'a pair of clappers' },
      { type: 'tool_started', id: '1', name: 'Write', input: { path: 'clap.go' } },
      { type: 'tool_ended', id: '1', name: 'Write' },
      { type: 'changed', path: 'clap.go', change: 'created' },
      { type: 'tool_call', id: '2', name: 'report_result', input: { status: 'success' } },
      { type: 'text', text: 'Done.' },
      { type: 'turn_end', text: 'Done.' },
    ),
  ).toEqual([
    { kind: 'thinking', text: 'a pair of clappers' },
    { kind: 'tool', id: '1', name: 'Write', args: '{"path":"clap.go"}', state: 'completed', output: '' },
    { kind: 'file', path: 'clap.go', change: 'created' },
    {
      kind: 'tool',
      id: '2',
      name: 'report_result',
      args: '{"status":"success"}',
      state: 'completed',
      output: '',
    },
    { kind: 'text', text: 'Done.' },
  ]);
});

it('reads Claude Code: blocks, and what came of a tool', () => {
  const entries = read(
    { type: 'system', subtype: 'init' },
    {
      type: 'assistant',
      message: {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } },
        ],
      },
    },
    {
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't', content: 'no such file', is_error: true }],
      },
    },
    { type: 'result', subtype: 'success', result: 'I look.' },
  );
  expect(entries.map((e) => e.kind)).toEqual(['thinking', 'text', 'tool']);
  expect(entries[2]).toMatchObject({ name: 'Bash', state: 'failed', output: 'no such file' });
});

it('reads Codex: items that begin and end', () => {
  expect(
    read(
      { type: 'item.started', item: { id: 'i', type: 'command_execution', command: 'ls', status: 'in_progress' } },
      {
        type: 'item.completed',
        item: { id: 'i', type: 'command_execution', command: 'ls', aggregated_output: 'a\n', status: 'completed' },
      },
      { type: 'item.completed', item: { id: 'j', type: 'agent_message', text: 'One file.' } },
      { type: 'turn.failed', error: { message: 'out of breath' } },
    ),
  ).toEqual([
    { kind: 'tool', id: 'i', name: 'shell', args: 'ls', state: 'completed', output: 'a\n' },
    { kind: 'text', text: 'One file.' },
    { kind: 'note', text: 'out of breath' },
  ]);
});

it('reads Cursor: a call under the name of its tool', () => {
  expect(
    read(
      { type: 'tool_call', subtype: 'started', call_id: 'c', tool_call: { readToolCall: { args: { path: 'x' } } } },
      { type: 'tool_call', subtype: 'completed', call_id: 'c', tool_call: { readToolCall: { args: { path: 'x' } } } },
    ),
  ).toEqual([{ kind: 'tool', id: 'c', name: 'read', args: '{"path":"x"}', state: 'completed', output: '' }]);
});

it('keeps what is no JSON, and waits for the rest of a line', () => {
  const t = new Transcript();
  t.add('warning: the rope is old\n{"type":"te');
  expect(t.entries).toEqual([{ kind: 'raw', text: 'warning: the rope is old' }]);
  t.add('xt","text":"黒衣"}\n');
  t.add('no end');
  expect(t.entries).toHaveLength(2);
  t.end();
  expect(t.entries.at(-1)).toEqual({ kind: 'raw', text: 'no end' });
});
