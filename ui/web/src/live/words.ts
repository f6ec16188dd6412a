// The words of the house as the socket says them: the JSON names of messages/*.go.

export type AgentStatus =
  | 'queued'
  | 'running'
  | 'completed'
  | 'failed'
  | 'timed_out'
  | 'cancelled'
  | 'lost'
  | 'result_reported';

export type TaskStatus = 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'timed_out';

export type PersonaState = 'idle' | 'starting' | 'ready' | 'working' | 'backoff' | 'stopped';

export interface ToolCall {
  callId: string;
  type: string;
  subtype: string;
  args: string;
  startedAt?: string;
  endedAt?: string;
}

export interface Run {
  toolCallCount: number;
  lastAssistantMessage: string;
  recentToolCalls?: ToolCall[];
  editedFiles?: string[];
  createdFiles?: string[];
  deletedFiles?: string[];
  inputTokens?: number;
  outputTokens?: number;
  cachedTokens?: number;
  costMicros?: number;
  exitCode: number;
  signal?: string;
  error?: string;
  diff?: string;
  argv?: string[]; // of its process; only where one agent is told of
}

export interface Agent {
  agentId: string;
  groupId: string;
  role: string;
  driver: string;
  model: string;
  status: AgentStatus;
  outcome?: AgentStatus;
  taskId: string;
  stage: number;
  waiting: string;
  workingDirectory: string;
  timeout: number; // nanoseconds
  isolation: string;
  createdBy: string;
  queuedAt: string;
  startedAt?: string;
  endedAt?: string;
  prompt: string;
  run: Run;
  rehearsal: boolean;
}

export interface Group {
  groupId: string;
  description: string;
  status: 'active' | 'deleted';
  createdBy: string;
  createdAt: string;
  deletedAt?: string | null;
}

export interface Role {
  id: string;
  name: string;
  driver: string;
  model: string;
  systemPrompt?: string;
  healthCheckPrompt?: string;
  tools?: string[] | null;
  isolation?: string;
  hidden?: boolean; // it works for jobs only
  available: boolean;
  healthCheck: {
    status: 'checking' | 'passed' | 'failed' | 'skipped';
    reason?: string | null;
    responseTime_ms?: number;
    checkedAt?: string | null;
  };
  modelValidation: {
    status: 'valid' | 'invalid' | 'unknown';
    message?: string | null;
    checkedAt?: string | null;
    availableModels?: string[] | null;
  };
}

export interface Member {
  name: string;
  title: string;
  driver: string;
  model?: string;
  reports_to: string;
  state: PersonaState;
  epoch: number;
  restarts: number;
  inbox_depth: number;
  task_id?: string;
  pid?: number;
  last_error?: string;
  since?: string;
  rises_at?: string; // while in backoff
}

export interface Task {
  id: string;
  parent_id?: string;
  root_id: string;
  depth: number;
  requester: string;
  owner: string;
  priority: 'low' | 'normal' | 'high' | 'urgent';
  status: TaskStatus;
  content: string;
  result?: string;
  code?: string;
  open_subtasks: number;
  deadline?: string;
  created_at: string;
  started_at?: string;
  finished_at?: string;
}

export interface Approval {
  kind: string; // task and day are about money
  id?: string; // by which a job's question is answered
  job_id?: string;
  task_id?: string;
  content?: string;
  spent_micros: number;
  limit_micros: number;
  waiting: number;
  since: string;
}

export interface Status {
  version: string;
  schema: number;
  store: string;
  pid: number;
  state_dir: string;
  config: string;
  started_at: string;
  rehearsal: boolean;
  open_tasks: number;
  last_event: number;
  http?: string;
  mcp_websocket?: string;
}

export interface CCMessage {
  id: string;
  from_agent: string;
  to_agent: string;
  type: string;
  content: string;
  thinking?: string;
  metadata: { timestamp: string; priority: string; task_id?: string; retry_count: number; ttl?: number };
  timestamp: string;
  reply_to?: string;
  truncated?: boolean;
}

export interface AgentResult {
  agentId: string;
  groupId: string;
  status: 'success' | 'failure' | 'timeout' | 'cancelled';
  summary: string;
  response?: string;
  editedFiles: string[];
  createdFiles: string[];
  duration_ms: number;
  model: string;
  role: string;
  toolCallCount: number;
  errorMessage?: string;
  diff?: string;
  costMicros?: number;
  rawOutput?: string;
  timestamp: string;
}

/** An agent with everything that is known of it. */
export interface AgentDetail extends Agent {
  result: AgentResult | null;
}

export interface Past {
  agents: Agent[];
  groups: Group[];
  roles: string[];
  total: number;
  until: number;
}

/** What a task has taken. */
export interface LedgerRow {
  task_id: string;
  turns: number;
  attempts: number;
  micros: number;
  input_tokens: number;
  output_tokens: number;
}

/** An event of the journal as a batch carries it. */
export interface Event {
  seq: number;
  type: string;
  ts: number | string;
  id: string;
  task?: string;
  root?: string;
  data?: unknown;
}

export interface Snapshot {
  groups?: Group[] | null;
  agents?: Agent[] | null;
  roles?: Role[] | null;
  crew?: Member[] | null;
  tasks?: Task[] | null;
  approvals?: Approval[] | null;
  status?: Status | null;
}

export interface Fault {
  code: string;
  message: string;
  field?: string;
  remedy?: string;
}

export type Frame =
  | {
      type: 'hello';
      proto: number;
      epoch: string;
      resumed: boolean;
      heartbeatMs: number;
      now: number | string;
      server: { version: string; rehearsal: boolean };
    }
  | { type: 'snapshot'; seq: number; epoch: string; data: Snapshot }
  | { type: 'batch'; ev: Event[] }
  | { type: 'delta'; topic: string; offset: number; next: number; text: string; ended?: boolean }
  | { type: 'hb'; seq: number; now: number | string }
  | { type: 'ack'; id: string; ok: boolean; data?: unknown; error?: Fault };

export const isFinal = (s: AgentStatus): boolean => s !== 'queued' && s !== 'running';

export const isTaskFinal = (s: TaskStatus): boolean =>
  s === 'completed' || s === 'failed' || s === 'cancelled' || s === 'timed_out';

/** How an agent ended, also once it has reported. */
export const outcomeOf = (a: Agent): AgentStatus => a.outcome ?? a.status;

const fallen = new Set<AgentStatus>(['failed', 'timed_out', 'lost']);

/** An agent that a person should look at. */
export const hasFallen = (a: Agent): boolean => fallen.has(outcomeOf(a));
