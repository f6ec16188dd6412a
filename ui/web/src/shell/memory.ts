// What this browser remembers of its person. theme.js reads it before the first paint.

export interface Memory {
  theme?: 'dark' | 'light';
  lang?: 'en' | 'ja';
  motion?: 'on' | 'off';
}

const key = 'kurogo';

export function recall(): Memory {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '{}') as Memory;
  } catch {
    return {};
  }
}

export function remember(change: Memory): void {
  try {
    localStorage.setItem(key, JSON.stringify({ ...recall(), ...change }));
  } catch {
    // nobody may write here: it holds until the page is left
  }
}
