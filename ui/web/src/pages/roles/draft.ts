import type { Role } from '../../live/words.ts';

/** What a person may change of a role. */
export interface Draft {
  name: string;
  driver: string;
  model: string;
  system_prompt: string;
  health_check_prompt: string;
}

export const draftOf = (r: Role): Draft => ({
  name: r.name,
  driver: r.driver,
  model: r.model,
  system_prompt: r.systemPrompt ?? '',
  health_check_prompt: r.healthCheckPrompt ?? '',
});

/** changesOf holds only what differs from the role as it was when the editing began. */
export function changesOf(before: Draft, now: Draft): Partial<Draft> {
  const out: Partial<Draft> = {};
  for (const key of Object.keys(before) as (keyof Draft)[]) {
    if (before[key] !== now[key]) out[key] = now[key];
  }
  return out;
}

/** modelsOf is what the health check knows of a driver's models, from any role that has it. */
export function modelsOf(roles: Iterable<Role>, driver: string): string[] {
  const known = new Set<string>();
  for (const r of roles) {
    if (r.driver === driver) for (const m of r.modelValidation.availableModels ?? []) known.add(m);
  }
  return [...known].sort();
}

/** What is known of a model before anything is saved. */
export const verdictOf = (models: string[], model: string): 'valid' | 'invalid' | 'unknown' =>
  model === '' ? 'valid' : models.length === 0 ? 'unknown' : models.includes(model) ? 'valid' : 'invalid';
