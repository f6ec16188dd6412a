import type { ToolCall } from '../../live/words.ts';
import type { JobEntry } from './job.ts';
import type { Plan, PlanStep, RunCall, RunDiff, RunPlan, RunVerify, StepResult } from './plan.ts';

/** How far a step is; waiting is what has not begun. */
export type StepState = StepResult['state'] | 'waiting';

/** A command that was to prove a step, and when it was over. */
export interface Proof extends RunVerify {
  at: string;
}

/** A step of the plan with all that has become of it. */
export interface Step extends PlanStep {
  state: StepState;
  attempt: number;
  agents: string[];
  text: string;
  error: string;
  from?: string;
  to?: string;
  proofs: Proof[];
  diff?: RunDiff;
}

/** One use of a tool, or one proof, as a bar of the waterfall shows it. */
export interface Deed extends ToolCall {
  step: string;
  agent: string;
  result: string;
  code: string;
  refused: boolean;
  changes: boolean; // files, or meant to
  proof: boolean;
}

export interface Trace {
  plan?: Plan;
  made?: RunPlan; // where the plan came from
  spoiled: RunPlan[]; // what planners said that was none
  steps: Step[];
  deeds: Deed[];
  diff?: RunDiff; // of the whole run
}

const over = new Set<StepState>(['done', 'failed', 'skipped']);

/** trace makes one picture of what has become true of a run, in whatever order it was said. */
export function trace(entries: JobEntry[]): Trace {
  const out: Trace = { spoiled: [], steps: [], deeds: [] };
  const steps = new Map<string, Step>();
  const owner = new Map<string, string>(); // the step of an agent
  const calls = new Map<string, Deed>();
  for (const e of entries) {
    switch (e.kind) {
      case 'plan': {
        const made = e.body as RunPlan;
        if (made.error) {
          out.spoiled.push(made);
          break;
        }
        out.made = made;
        out.plan = made.plan;
        for (const s of made.plan.steps) steps.set(s.id, fresh(s, steps.get(s.id)));
        break;
      }
      case 'step': {
        const r = e.body as StepResult;
        const s = steps.get(r.id);
        if (r.agentId) owner.set(r.agentId, r.id);
        if (s) steps.set(r.id, stepped(s, r, e.at));
        break;
      }
      case 'tool_call': {
        const c = e.body as RunCall;
        const deed = begun(c, e.at, owner.get(c.agentId) ?? '');
        calls.set(keyOf(c), deed);
        out.deeds.push(deed);
        break;
      }
      case 'tool_result': {
        const c = e.body as RunCall;
        let deed = calls.get(keyOf(c));
        if (!deed) {
          deed = begun(c, earlier(e.at, c.duration_ms), owner.get(c.agentId) ?? '');
          out.deeds.push(deed);
        }
        Object.assign(deed, { endedAt: e.at, result: c.text ?? '', code: c.code ?? '', refused: c.refused ?? false });
        break;
      }
      case 'verify': {
        const v = e.body as RunVerify;
        const s = steps.get(v.step);
        if (s) steps.set(v.step, { ...s, proofs: [...s.proofs, { ...v, at: e.at }] });
        out.deeds.push(proven(v, e));
        break;
      }
      case 'diff': {
        const d = e.body as RunDiff;
        const s = d.step ? steps.get(d.step) : undefined;
        if (s) steps.set(s.id, { ...s, diff: d });
        else out.diff = d;
      }
    }
  }
  out.steps = ordered(out.plan?.steps ?? []).flatMap((s) => steps.get(s.id) ?? []);
  return out;
}

function fresh(s: PlanStep, before: Step | undefined): Step {
  return { state: 'waiting', attempt: 0, agents: [], text: '', error: '', proofs: [], ...before, ...s };
}

function stepped(s: Step, r: StepResult, at: string): Step {
  const next: Step = { ...s, state: r.state, attempt: r.attempt || s.attempt };
  if (r.agentId && !s.agents.includes(r.agentId)) next.agents = [...s.agents, r.agentId];
  if (r.text) next.text = r.text;
  next.error = r.error ?? '';
  if (r.state === 'running') next.from = s.from ?? at;
  if (over.has(r.state)) next.to = at;
  else delete next.to; // it is repaired
  return next;
}

const keyOf = (c: RunCall): string => `${c.agentId} ${c.callId}`;

const earlier = (at: string, ms = 0): string => new Date(Date.parse(at) - ms).toISOString();

function begun(c: RunCall, at: string, step: string): Deed {
  return {
    callId: keyOf(c),
    type: c.name,
    subtype: '',
    args: c.parameters ?? '',
    startedAt: at,
    step,
    agent: c.agentId,
    result: '',
    code: '',
    refused: false,
    changes: c.changes ?? false,
    proof: false,
  };
}

function proven(v: RunVerify, e: JobEntry): Deed {
  return {
    callId: `verify ${e.seq}`,
    type: v.command.join(' '),
    subtype: '',
    args: '',
    startedAt: earlier(e.at, v.duration_ms),
    endedAt: e.at,
    step: v.step,
    agent: '',
    result: v.error || v.output,
    code: v.error || v.exit !== 0 ? 'failed' : '',
    refused: false,
    changes: false,
    proof: true,
  };
}

/** ordered is the order in which steps are done: the plan's, as far as their needs allow. */
export function ordered(steps: PlanStep[]): PlanStep[] {
  const out: PlanStep[] = [];
  const done = new Set<string>();
  while (out.length < steps.length) {
    const next =
      steps.find((s) => !done.has(s.id) && (s.needs ?? []).every((n) => done.has(n))) ??
      steps.find((s) => !done.has(s.id)); // a circle: no plan of the house has one
    if (!next) break;
    done.add(next.id);
    out.push(next);
  }
  return out;
}
