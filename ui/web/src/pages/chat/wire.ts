import { ask, get, post } from '../../live/rest.ts';

/** What is said of a talk. A title is null until the first answer, or until somebody names it. */
export interface Session {
  id: string;
  title: string | null;
  created_at: string;
  updated_at: string;
  last_activity_at: string;
}

/** Lines of a file, or something that was said before, that an answer could lean on. */
export interface Source {
  path?: string;
  span?: string;
  session_id?: string;
  message_id?: string;
  text: string;
  score: number;
}

export interface Message {
  id: string;
  session_id: string;
  role: 'user' | 'assistant';
  content: string;
  created_at: string;
  fallback: boolean;
  sources?: Source[];
  model_used?: string;
  reply_to?: string;
  status: 'pending' | 'answered' | 'stored' | 'logged';
}

/** A talk with the newest of what was said in it; more says that there is something before. */
export interface Detail extends Session {
  messages: Message[];
  more: boolean;
}

/** The data of the chat:… events of a talk. */
export interface News {
  session_id: string;
  message?: Message;
  session?: Session;
}

const at = (id: string): string => `/sessions/${encodeURIComponent(id)}`;

export const listSessions = (signal?: AbortSignal): Promise<Session[]> => get('/sessions?limit=500', signal);
export const openSession = (): Promise<Session> => post('/sessions');
export const nameSession = (id: string, title: string): Promise<Session> =>
  ask(`${at(id)}/title`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ title }),
  });
export const dropSession = (id: string): Promise<unknown> => ask(at(id), { method: 'DELETE' });

/** readSession reads the newest page, or the one before a message. */
export const readSession = (id: string, before?: string, signal?: AbortSignal): Promise<Detail> =>
  get(`${at(id)}?limit=500${before ? `&before=${encodeURIComponent(before)}` : ''}`, signal);
