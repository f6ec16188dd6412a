import { expect, it } from 'vitest';
import type { Role } from '../../live/words.ts';
import { changesOf, draftOf, modelsOf, verdictOf } from './draft.ts';

const role = (id: string, driver: string, availableModels?: string[]): Role => ({
  id,
  name: id,
  driver,
  model: 'm1',
  systemPrompt: 'You act.',
  available: true,
  healthCheck: { status: 'passed' },
  modelValidation: { status: 'valid', ...(availableModels ? { availableModels } : {}) },
});

it('sends only what was changed, an emptied text too', () => {
  const before = draftOf(role('a', 'd'));
  expect(changesOf(before, before)).toEqual({});
  expect(changesOf(before, { ...before, model: 'm2', system_prompt: '' })).toEqual({ model: 'm2', system_prompt: '' });
});

it('knows the models of a driver by any of its roles', () => {
  const roles = [role('a', 'd', ['m2', 'm1']), role('b', 'd', ['m3']), role('c', 'e', ['x'])];
  expect(modelsOf(roles, 'd')).toEqual(['m1', 'm2', 'm3']);
  expect(modelsOf(roles, 'nobody')).toEqual([]);
});

it('judges a model before it is saved', () => {
  expect(verdictOf(['m1'], 'm1')).toBe('valid');
  expect(verdictOf(['m1'], 'm9')).toBe('invalid');
  expect(verdictOf([], 'm9')).toBe('unknown');
  expect(verdictOf(['m1'], '')).toBe('valid');
});
