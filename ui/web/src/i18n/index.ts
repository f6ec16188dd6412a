import { useSyncExternalStore } from 'react';
import { remember } from '../shell/memory.ts';
import { en } from './en.ts';
import { ja } from './ja.ts';

const dictionaries = { en, ja };

export type Lang = keyof typeof dictionaries;
export type Words = typeof en;

const listeners = new Set<() => void>();
let lang: Lang = document.documentElement.lang === 'ja' ? 'ja' : 'en';

export const getLang = (): Lang => lang;

export function setLang(next: Lang): void {
  lang = next;
  document.documentElement.lang = next;
  remember({ lang: next });
  for (const f of listeners) f();
}

const listen = (f: () => void) => {
  listeners.add(f);
  return () => {
    listeners.delete(f);
  };
};

export const useLang = (): Lang => useSyncExternalStore(listen, getLang);
/**
 * dictionary makes the words of one page, which come with the page: a page has its
 * own words.ts, and what is missing in one language does not compile.
 */
export const dictionary =
  <W extends object>(words: Record<Lang, W>) =>
  (): W =>
    words[useLang()];

export const useT = (): Words => dictionaries[useLang()];
