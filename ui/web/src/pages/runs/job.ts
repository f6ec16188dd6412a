// A job as the house tells it: messages/job.go. Its input and output are of its kind.

export type JobStatus = 'running' | 'completed' | 'failed' | 'cancelled';

export interface Job<I = unknown, O = unknown> {
  job_id: string;
  kind: 'eval' | 'run' | 'chat';
  title: string;
  status: JobStatus;
  state: string;
  input?: I;
  output?: O;
  code?: string;
  error?: string;
  cost_micros: number;
  created_by: string;
  created_at: string;
  ended_at?: string;
}

/** One fact in the life of a job; seq counts from 1 within it. */
export interface JobEntry {
  job_id: string;
  seq: number;
  at: string;
  kind: string;
  body?: unknown;
}

export interface Jobs {
  jobs: Job[];
  total: number;
}

/** What is led by a job, by the name under which the house has it. */
export type Ware = 'evaluations' | 'runs';

/** The word in which the store says that a list of jobs is another. */
export const listMark: Record<Ware, string> = { evaluations: 'evaluation', runs: 'run' };
