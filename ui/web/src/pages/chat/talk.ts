import type { Fault } from '../../live/words.ts';
import type { Detail, Message, Session } from './wire.ts';

/** A message of a talk. What only this page knows of is local: not yet written down, or never to be. */
export interface Line extends Message {
  local?: 'sent' | 'failed' | 'fallback';
}

/** What was said and not answered yet. */
export interface Saying {
  key: string;
  text: string;
}

/** A talk as its page sees it. */
export interface Talk {
  session: Session | null;
  lines: Line[];
  more: boolean;
  saying: Saying | null; // the document's loading
  partial: string; // of the answer that comes
  failed: Saying | null; // to be tried again
  error: Fault | null; // the document's serverError
  unread: Fault | null; // why the history could not be read
}

export const silence: Talk = {
  session: null,
  lines: [],
  more: false,
  saying: null,
  partial: '',
  failed: null,
  error: null,
  unread: null,
};

export type Act =
  | { do: 'read'; detail: Detail }
  | { do: 'readEarlier'; detail: Detail }
  | { do: 'unread'; fault: Fault }
  | { do: 'say'; saying: Saying; session: string; at: string }
  | { do: 'accepted'; message: Message }
  | { do: 'partial'; text: string }
  | { do: 'answered'; message: Message }
  | { do: 'settled' }
  | { do: 'failed'; fault: Fault; fallback: string; at: string }
  | { do: 'named'; session: Session }
  | { do: 'dismiss' };

const localId = (key: string): string => `local-${key}`;

/** reduce is the whole life of a talk on its page. */
export function reduce(t: Talk, a: Act): Talk {
  switch (a.do) {
    case 'read': {
      const { messages, more, ...session } = a.detail;
      const first = messages[0];
      const at = first ? t.lines.findIndex((l) => l.id === first.id) : -1;
      // Pages that were read before stay, where this one joins them.
      const before = at > 0 ? t.lines.slice(0, at).filter((l) => !l.local) : [];
      return {
        ...t,
        session,
        unread: null,
        more: before.length > 0 ? t.more : more,
        lines: mingle(
          [...before, ...messages],
          t.lines.filter((l) => l.local && (t.saying || l.local !== 'sent')),
        ),
      };
    }
    case 'readEarlier': {
      const known = new Set(t.lines.map((l) => l.id));
      return { ...t, more: a.detail.more, lines: [...a.detail.messages.filter((m) => !known.has(m.id)), ...t.lines] };
    }
    case 'unread':
      return { ...t, unread: a.fault };
    case 'say': {
      const again = t.failed?.key === a.saying.key;
      const lines = again ? t.lines.filter((l) => !l.id.startsWith(localId(a.saying.key))) : t.lines;
      const written = again && t.lines.some((l) => l.role === 'user' && l.status === 'pending' && !l.local);
      const said: Line = {
        id: localId(a.saying.key),
        session_id: a.session,
        role: 'user',
        content: a.saying.text,
        created_at: a.at,
        fallback: false,
        status: 'pending',
        local: 'sent',
      };
      return {
        ...t,
        saying: a.saying,
        partial: '',
        failed: null,
        error: null,
        lines: written ? lines : [...lines, said],
      };
    }
    case 'accepted':
      return { ...t, lines: put(t.lines, a.message, t.saying && localId(t.saying.key)) };
    case 'partial':
      return t.saying ? { ...t, partial: a.text } : t;
    case 'answered': {
      // Where nobody told that it was accepted, the answer says which message it answers.
      const mine = t.lines.find((l) => l.id === (t.saying && localId(t.saying.key)));
      const { local: _, ...written } = mine ?? {};
      const lines = mine
        ? t.lines.map((l) => (l === mine ? { ...(written as Message), id: a.message.reply_to ?? l.id } : l))
        : t.lines;
      return { ...t, partial: '', lines: put(lines, a.message) };
    }
    case 'settled':
      return { ...t, saying: null, partial: '' };
    case 'failed': {
      if (!t.saying) return t;
      const mine = localId(t.saying.key);
      const words: Line = {
        id: `${mine}-answer`,
        session_id: t.session?.id ?? '',
        role: 'assistant',
        content: a.fallback,
        created_at: a.at,
        fallback: true,
        status: 'answered',
        local: 'fallback',
      };
      return {
        ...t,
        saying: null,
        partial: '',
        failed: t.saying,
        error: a.fault,
        lines: [...t.lines.map((l): Line => (l.id === mine ? { ...l, local: 'failed' } : l)), words],
      };
    }
    case 'named':
      return t.session?.id === a.session.id ? { ...t, session: a.session } : t;
    case 'dismiss':
      return { ...t, error: null };
  }
}

// put replaces the local line, or the message of the same id, or appends.
function put(lines: Line[], m: Message, local: string | null = null): Line[] {
  const at = lines.findIndex((l) => l.id === m.id || l.id === local);
  return at < 0 ? [...lines, m] : lines.with(at, m);
}

// mingle keeps among what is written down what only the page has, in the order of time.
function mingle(written: Message[], own: Line[]): Line[] {
  if (own.length === 0) return written;
  const out: Line[] = [];
  let next = 0;
  for (const m of written) {
    for (let l = own[next]; l && Date.parse(l.created_at) < Date.parse(m.created_at); l = own[++next]) out.push(l);
    out.push(m);
  }
  return [...out, ...own.slice(next)];
}

/** waits says whether the house owes an answer that nobody here asked for: the page was read anew meanwhile. */
export const waits = (t: Talk): boolean => {
  const last = t.lines.findLast((l) => !l.local);
  return t.saying === null && last?.role === 'user' && last.status === 'pending';
};
