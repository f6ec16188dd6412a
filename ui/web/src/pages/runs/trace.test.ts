import { describe, expect, it } from 'vitest';
import type { JobEntry } from './job.ts';
import type { PlanStep } from './plan.ts';
import { ordered, trace } from './trace.ts';

const begin = Date.parse('2026-11-21T16:00:00.000Z');
const at = (s: number) => new Date(begin + s * 1000).toISOString();

let seq: number;
const said = (s: number, kind: string, body: unknown): JobEntry => ({ job_id: 'r', seq: seq++, at: at(s), kind, body });

const step = (id: string, ...needs: string[]): PlanStep => ({
  id,
  title: id,
  needs,
  files: null,
  instructions: 'do it',
  acceptance: '',
  verify: [['go', 'test']],
});

const run = (): JobEntry[] => {
  seq = 1;
  return [
    said(0, 'task', { task: 't' }),
    said(1, 'plan', { plan: { summary: '', steps: [] }, error: 'no JSON' }),
    said(2, 'plan', { plan: { summary: 'two', relied_on: null, steps: [step('b', 'a'), step('a')] }, agentId: 'p-1' }),
    said(3, 'step', { id: 'a', state: 'running', attempt: 1, agentId: 'x-1' }),
    said(4, 'tool_call', {
      agentId: 'x-1',
      callId: '1',
      name: 'write_file',
      parameters: '{"path":"a"}',
      changes: true,
    }),
    said(6, 'tool_result', { agentId: 'x-1', callId: '1', name: 'write_file', text: 'ok', duration_ms: 2000 }),
    said(7, 'step', { id: 'a', state: 'executed', attempt: 1, agentId: 'x-1', text: 'written' }),
    said(9, 'verify', {
      step: 'a',
      attempt: 1,
      command: ['go', 'test'],
      exit: 1,
      output: 'FAIL',
      sandbox: 'none',
      duration_ms: 1500,
    }),
    said(10, 'step', { id: 'a', state: 'running', attempt: 2, agentId: 'x-2' }),
    said(11, 'tool_call', { agentId: 'x-2', callId: '1', name: 'read_file' }),
  ];
};

describe('a trace', () => {
  it('has the plan that counts, in the order in which it is done', () => {
    const t = trace(run());
    expect(t.plan?.summary).toBe('two');
    expect(t.spoiled).toHaveLength(1);
    expect(t.steps.map((s) => [s.id, s.state])).toEqual([
      ['a', 'running'],
      ['b', 'waiting'],
    ]);
  });

  it('keeps the attempts of a step that is repaired', () => {
    const [a] = trace(run()).steps;
    expect(a).toMatchObject({ attempt: 2, agents: ['x-1', 'x-2'], text: 'written', from: at(3) });
    expect(a?.to).toBeUndefined();
    expect(a?.proofs.map((p) => [p.exit, p.output, p.at])).toEqual([[1, 'FAIL', at(9)]]);
  });

  it('ends a step, and says why', () => {
    const t = trace([
      ...run(),
      said(12, 'step', { id: 'a', state: 'failed', attempt: 2, agentId: 'x-2', error: 'it failed still' }),
      said(12, 'step', { id: 'b', state: 'skipped', attempt: 0, error: 'it needs a' }),
      said(13, 'diff', { diff: '+x', files: ['a'] }),
    ]);
    expect(t.steps.map((s) => [s.state, s.error, s.to])).toEqual([
      ['failed', 'it failed still', at(12)],
      ['skipped', 'it needs a', at(12)],
    ]);
    expect(t.steps[0]?.attempt).toBe(2);
    expect(t.diff?.files).toEqual(['a']);
  });

  it('pairs calls with their results by agent, and knows their step', () => {
    const { deeds } = trace(run());
    expect(deeds.map((d) => [d.type, d.step, d.startedAt, d.endedAt, d.code])).toEqual([
      ['write_file', 'a', at(4), at(6), ''],
      ['go test', 'a', at(7.5), at(9), 'failed'],
      ['read_file', 'a', at(11), undefined, ''],
    ]);
    expect(deeds[0]?.result).toBe('ok');
    expect(deeds.map((d) => d.changes)).toEqual([true, false, false]);
  });

  it('believes a result whose call it has not seen', () => {
    seq = 1;
    const { deeds } = trace([
      said(5, 'tool_result', {
        agentId: 'x',
        callId: '9',
        name: 'list_files',
        code: 'denied',
        refused: true,
        duration_ms: 500,
      }),
    ]);
    expect(deeds).toMatchObject([{ startedAt: at(4.5), endedAt: at(5), refused: true, code: 'denied' }]);
  });
});

describe('the order of a plan', () => {
  it('is the one given where needs allow it', () => {
    expect(ordered([step('c', 'a', 'b'), step('b'), step('a')]).map((s) => s.id)).toEqual(['b', 'a', 'c']);
  });
  it('loses no step to a circle', () => {
    expect(ordered([step('a', 'b'), step('b', 'a')]).map((s) => s.id)).toEqual(['a', 'b']);
  });
});
