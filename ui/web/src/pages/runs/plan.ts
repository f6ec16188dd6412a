// A run as the house tells it: messages/plan.go.

export interface PlanStep {
  id: string;
  title: string;
  needs: string[] | null;
  files: string[] | null;
  instructions: string;
  acceptance: string;
  verify: string[][] | null;
}

export interface Plan {
  summary: string;
  relied_on: string[] | null;
  steps: PlanStep[];
}

export interface RunInput {
  task: string;
  root: string;
  dry_run?: boolean;
  replan?: boolean;
  plan?: Plan;
  approve: 'ask' | 'auto';
  planner: string;
  executor: string;
}

export interface RunOutput {
  status: 'done' | 'planned' | 'partial' | 'failed';
  exit: number;
  reason?: string;
  plan?: Plan;
  files: string[] | null;
  diff: string;
  text: string;
}

export interface RunPlan {
  plan: Plan;
  hash?: string;
  source?: 'given' | 'reused';
  agentId?: string;
  error?: string;
  lost?: boolean;
}

export interface StepResult {
  id: string;
  state: 'running' | 'executed' | 'done' | 'failed' | 'skipped';
  attempt: number;
  agentId?: string;
  text?: string;
  error?: string;
  exit?: number;
}

export interface RunCall {
  agentId: string;
  callId: string;
  name: string;
  parameters?: string;
  text?: string;
  code?: string;
  refused?: boolean;
  changes?: boolean;
  duration_ms?: number;
}

export interface RunDiff {
  step?: string;
  diff: string;
  files: string[] | null;
}

export interface RunVerify {
  step: string;
  attempt: number;
  command: string[];
  exit: number;
  output: string;
  error?: string;
  sandbox: string;
  duration_ms: number;
}

/** How the runs have gone. */
export interface Stats {
  runs: number;
  done: number;
  partial: number;
  success_rate: number;
  p95_ms: number;
  refusals: number;
  replanned: number;
  plan_reproduction: number;
  repairs: number;
  repair_attempts: number;
  evidence_agreement: number;
}
