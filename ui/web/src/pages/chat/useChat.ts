import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { hearers } from '../../live/reduce.ts';
import { Refused } from '../../live/socket.ts';
import { store, useLive } from '../../live/store.ts';
import type { Fault } from '../../live/words.ts';
import { say } from './stream.ts';
import { reduce, type Saying, silence, type Talk } from './talk.ts';
import { deriveTitle } from './title.ts';
import type { useSessions } from './useSessions.ts';
import { type News, nameSession, readSession, type Session } from './wire.ts';
import { useWords } from './words.ts';

export interface Chat {
  talk: Talk;
  input: string;
  setInput: (text: string) => void;
  send: () => void;
  again: () => void;
  earlier: () => void;
  reload: () => void;
  named: (s: Session) => void;
  dismiss: () => void;
}

/** useChat leads one talk, as the chat's document has it, step by step. */
export function useChat(id: string, { refresh, put }: Pick<ReturnType<typeof useSessions>, 'refresh' | 'put'>): Chat {
  const w = useWords();
  const navigate = useNavigate();
  const [talk, act] = useReducer(reduce, silence);
  const [input, setInput] = useState('');
  const busy = useRef<AbortController | null>(null);
  const now = () => new Date(store.now()).toISOString();

  const load = useCallback(async (which: string, signal?: AbortSignal) => {
    try {
      act({ do: 'read', detail: await readSession(which, undefined, signal) });
    } catch (e) {
      if (!signal?.aborted) act({ do: 'unread', fault: faultOf(e) });
    }
  }, []);

  useEffect(() => {
    const leaving = new AbortController();
    void load(id, leaving.signal);
    return () => {
      leaving.abort();
      busy.current?.abort(); // the answer comes all the same, and is written down
      busy.current = null;
    };
  }, [id, load]);

  // What happens in this talk elsewhere: in another window, on the command line, or
  // when the answer comes to what was said before this page was opened.
  const line = useLive('conn', () => store.conn.state);
  const lost = useRef(false);
  useEffect(() => {
    if (line === 'live' && lost.current && !busy.current) void load(id);
    lost.current = line === 'down';
    const hear = (e: { type: string; data?: unknown }) => {
      const news = e.data as News | undefined;
      if (e.type === 'chat:message_added' && news?.session_id === id && !busy.current) void load(id);
      if (e.type === 'chat:updated' && news?.session?.id === id) act({ do: 'named', session: news.session });
    };
    hearers.add(hear);
    return () => {
      hearers.delete(hear);
    };
  }, [id, line, load]);

  const speak = async (saying: Saying) => {
    if (busy.current) return;
    const going = new AbortController();
    busy.current = going;
    act({ do: 'say', saying, session: id, at: now() });
    let text = '';
    let frame = 0;
    const draw = () => {
      frame = 0;
      act({ do: 'partial', text });
    };
    const told = (next: string) => {
      text = next;
      frame ||= requestAnimationFrame(draw);
    };
    try {
      const turn = await say(
        { user_input: saying.text, session_id: id },
        saying.key,
        {
          accepted: ({ message }) => act({ do: 'accepted', message }),
          delta: (piece) => told(text + piece),
          reset: () => told(''),
        },
        going.signal,
      );
      cancelAnimationFrame(frame);
      act({ do: 'answered', message: turn.message });
      const returned = turn.session_id || turn.message.session_id;
      const [, sessions] = await Promise.all([load(returned, going.signal), refresh().catch(() => [])]);
      const session = sessions.find((s) => s.id === returned);
      if (session && session.title === null) await entitle(session, saying.text);
      if (going.signal.aborted) return;
      busy.current = null;
      act({ do: 'settled' });
      if (returned !== id) void navigate({ to: '/chat/$id', params: { id: returned }, replace: true });
    } catch (e) {
      cancelAnimationFrame(frame);
      if (going.signal.aborted) return;
      busy.current = null;
      act({ do: 'failed', fault: faultOf(e), fallback: w.fallback, at: now() });
    }
  };

  // The house names a talk by itself; who comes first is heard.
  const entitle = async (session: Session, said: string) => {
    const title = deriveTitle(said);
    if (!title) return;
    try {
      const named = await nameSession(session.id, title);
      put(named);
      act({ do: 'named', session: named });
    } catch {
      // a talk goes on without a title
    }
  };

  const reading = useRef(false);
  return {
    talk,
    input,
    setInput,
    send: () => {
      const text = input.trim();
      if (!text || busy.current) return;
      setInput('');
      void speak({ key: newKey(), text });
    },
    again: () => {
      if (talk.failed) void speak(talk.failed);
    },
    earlier: () => {
      const first = talk.lines.find((l) => !l.local);
      if (!first || !talk.more || reading.current) return;
      reading.current = true;
      readSession(id, first.id)
        .then((detail) => act({ do: 'readEarlier', detail }))
        .catch((e: unknown) => act({ do: 'unread', fault: faultOf(e) }))
        .finally(() => {
          reading.current = false;
        });
    },
    reload: () => void load(id),
    named: (session) => {
      put(session);
      act({ do: 'named', session });
    },
    dismiss: () => act({ do: 'dismiss' }),
  };
}

const faultOf = (e: unknown): Fault =>
  e instanceof Refused ? e.fault : { code: 'internal', message: e instanceof Error ? e.message : String(e) };

// randomUUID is only there where the page came by a way that the browser trusts.
const newKey = (): string => [...crypto.getRandomValues(new Uint32Array(4))].map((n) => n.toString(16)).join('-');
