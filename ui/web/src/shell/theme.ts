import { useSyncExternalStore } from 'react';
import { remember } from './memory.ts';

export type Theme = 'dark' | 'light';

const root = document.documentElement;
const listeners = new Set<() => void>();
const tell = () => {
  for (const f of listeners) f();
};
const listen = (f: () => void) => {
  listeners.add(f);
  return () => {
    listeners.delete(f);
  };
};

const theme = (): Theme => (root.dataset.theme === 'light' ? 'light' : 'dark');
const motion = (): boolean => root.dataset.motion !== 'off';

export function setTheme(next: Theme): void {
  root.dataset.theme = next;
  remember({ theme: next });
  tell();
}

export function setMotion(on: boolean): void {
  if (on) delete root.dataset.motion;
  else root.dataset.motion = 'off';
  remember({ motion: on ? 'on' : 'off' });
  tell();
}

export const useTheme = (): Theme => useSyncExternalStore(listen, theme);
export const useMotion = (): boolean => useSyncExternalStore(listen, motion);
