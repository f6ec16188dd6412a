// An evaluation as the house tells it: messages/evaluation.go, messages/evaluate.go.
import type { Job } from '../runs/job.ts';

export const criteria = ['completeness', 'accuracy', 'clarity', 'usability'] as const;

export type Criterion = (typeof criteria)[number];

export type Rubric = Record<Criterion, number>;

export interface Suggestion {
  criterion: Criterion;
  line: number; // 0 is the document as a whole
  text: string;
}

export interface Verdict {
  rubric_scores: Rubric;
  said: number;
  score: number;
  disagrees?: boolean;
  suggestions: Suggestion[] | null;
  blocker?: string;
}

export interface Round {
  number: number;
  verdict: Verdict;
  version: number;
  agentId?: string;
  model_used: string;
  evaluation_time: number;
}

export interface Version {
  version: number;
  document: string;
  summary: string;
  diff: string;
  agentId: string;
}

export interface Try {
  what: 'round' | 'version';
  round: number;
  agentId?: string;
  code: string;
  error: string;
  counted: boolean;
}

export interface EvaluationInput {
  document: string;
  name: string;
  path?: string;
  dir: string;
  weights: Rubric;
  target_score: number;
  max_iterations: number;
  evaluator: string;
  improve?: boolean;
  improver?: string;
  write?: boolean;
  iteration: number;
}

interface Evaluated {
  score: number;
  rubric_scores: Rubric;
  pass: boolean;
  suggestions: string[] | null;
  metadata: { iteration: number; evaluation_time: number; model_used: string; note?: string };
}

interface Improved {
  best: Evaluated;
  version: number;
  stop: '' | 'target' | 'blocker' | 'maximum' | 'plateau';
  document: string;
  diff: string;
  path?: string;
  written: boolean;
}

/** What came of it: of one that improves the whole way, of another the verdict. */
export type EvaluationOutput = Evaluated | Improved;

export interface Evaluation extends Job<EvaluationInput, EvaluationOutput> {
  rounds: Round[];
  versions: Version[];
  tries: Try[];
}

export const improvedOf = (o: EvaluationOutput | undefined): Improved | undefined => (o && 'best' in o ? o : undefined);

export const verdictOf = (o: EvaluationOutput | undefined): Evaluated | undefined => o && ('best' in o ? o.best : o);

/** best is the round with the highest score; of two the first, as the house counts. */
export function best(rounds: Round[]): Round | undefined {
  let found: Round | undefined;
  for (const r of rounds) if (!found || r.verdict.score > found.verdict.score) found = r;
  return found;
}

/** passes tells whether a verdict is good enough; where no rewriting can help, no score is. */
export const passes = (v: Verdict, target: number): boolean => !v.blocker && v.score >= target;

/** worstFirst lists the criteria, the one with the lowest score first. */
export const worstFirst = (scores: Rubric): Criterion[] => criteria.toSorted((a, b) => scores[a] - scores[b]);
