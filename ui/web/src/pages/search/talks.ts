import type { Detail, Session } from '../chat/wire.ts';

/** A place in a talk where the words were found: its title, or one message. */
export interface Hit {
  session: Session;
  role: 'title' | 'user' | 'assistant';
  key: string;
  before: string;
  match: string;
  after: string;
}

const around = 90; // letters on each side of what was found
const perTalk = 3;

/** found looks for all the words in titles and in what was said; the newest talk first. */
export function found(query: string, sessions: Session[], read: ReadonlyMap<string, Detail>): Hit[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const out: Hit[] = [];
  for (const s of sessions) {
    const title = s.title && cut(s.title, words);
    if (title) out.push({ session: s, role: 'title', key: `${s.id}-title`, ...title });
    let n = 0;
    for (const m of read.get(s.id)?.messages ?? []) {
      const hit = cut(m.content, words);
      if (!hit) continue;
      out.push({ session: s, role: m.role, key: m.id, ...hit });
      if (++n === perTalk) break;
    }
  }
  return out;
}

// cut shows the first of the words with what stands around it, if all of them are there.
function cut(text: string, words: string[]): { before: string; match: string; after: string } | null {
  const low = text.toLowerCase();
  if (low.length !== text.length || !words.every((w) => low.includes(w))) {
    // A letter that grows when it is made small shifts everything behind it.
    return low.length !== text.length && words.every((w) => low.includes(w))
      ? { before: text.slice(0, 2 * around), match: '', after: '' }
      : null;
  }
  const at = Math.min(...words.map((w) => low.indexOf(w)));
  const word = words.find((w) => low.indexOf(w) === at) ?? '';
  const from = Math.max(0, at - around);
  const to = at + word.length + around;
  return {
    before: (from > 0 ? '…' : '') + text.slice(from, at),
    match: text.slice(at, at + word.length),
    after: text.slice(at + word.length, to) + (to < text.length ? '…' : ''),
  };
}
