import { expect, it } from 'vitest';
import { stepOf } from '../pages/group/Gantt.tsx';
import { under } from '../pages/house/ActorsPage.tsx';
import { codeOf } from '../shell/Visitor.tsx';
import { quote } from './Copy.tsx';
import { brief, span } from './time.ts';

it('says a time as exactly as it matters', () => {
  expect([0, 999, 1500, 59_999, 60_000, 3_723_000].map(brief)).toEqual([
    '0 ms',
    '999 ms',
    '1.5 s',
    '60.0 s',
    '1:00',
    '1:02:03',
  ]);
  expect(span(-5)).toBe('0:00');
});

it('makes a word of a shell of anything', () => {
  expect(quote('plain-word.go')).toBe('plain-word.go');
  expect(quote("it's $HOME `x`")).toBe(`'it'\\''s $HOME \`x\`'`);
});

it('finds the code in what was pasted', () => {
  const code = 'UPcNqyx2AQNR9VTvklgRutppd0oqMF_d';
  expect(codeOf(` http://127.0.0.1:9696/login?code=${code}\n`)).toBe(code);
  expect(codeOf(code)).toBe(code);
  expect(codeOf('http://127.0.0.1:9696/')).toBeNull();
  expect(codeOf('let me in')).toBeNull();
});

it('counts an axis in steps that a person knows', () => {
  expect([500, 1_600, 65_000, 7_200_000].map(stepOf)).toEqual([100, 500, 15_000, 1_800_000]);
});

it('puts a crew below its superiors', () => {
  const m = (name: string, reports_to: string) => ({
    name,
    title: '',
    driver: '',
    reports_to,
    state: 'idle' as const,
    epoch: 1,
    restarts: 0,
    inbox_depth: 0,
  });
  const tree = under([m('coder', 'manager'), m('boss', 'user'), m('manager', 'boss')]);
  expect(tree.map((n) => `${n.depth} ${n.m.name}`)).toEqual(['0 boss', '1 manager', '2 coder']);
});
