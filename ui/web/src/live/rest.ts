import { Refused } from './socket.ts';
import type { Fault } from './words.ts';

interface Envelope<T> {
  ok: boolean;
  data: T;
  error: Fault | null;
}

/** ask says it by any method. */
export async function ask<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/api${path}`, { cache: 'no-store', ...init });
  } catch {
    throw new Refused({ code: 'unavailable', message: 'Kurogo does not answer' });
  }
  const text = await response.text();
  let envelope: Envelope<T>;
  try {
    envelope = JSON.parse(text) as Envelope<T>;
  } catch {
    throw new Refused({ code: 'internal', message: `HTTP ${response.status}` });
  }
  if (!envelope.ok) throw new Refused(envelope.error ?? { code: 'internal', message: `HTTP ${response.status}` });
  return envelope.data;
}

/** get asks /api for what does not travel by the socket. */
export const get = <T>(path: string, signal?: AbortSignal): Promise<T> => ask<T>(path, signal ? { signal } : {});

/** post says something to /api. */
export const post = <T>(path: string, body: object = {}): Promise<T> =>
  ask<T>(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

export interface Chunk {
  bytes: Uint8Array;
  next: number;
  size: number;
  ended: boolean;
}

/** piece reads what an agent's process has said, from offset on. */
export async function piece(
  agent: string,
  stream: 'stdout' | 'stderr',
  offset: number,
  limit: number,
  signal?: AbortSignal,
): Promise<Chunk> {
  const path = `/api/agents/${encodeURIComponent(agent)}/log?stream=${stream}&offset=${offset}&limit=${limit}`;
  const response = await fetch(path, { cache: 'no-store', ...(signal ? { signal } : {}) });
  if (!response.ok) {
    const said = (await response.json().catch(() => null)) as Envelope<null> | null;
    throw new Refused(said?.error ?? { code: 'internal', message: `HTTP ${response.status}` });
  }
  const number = (name: string) => Number(response.headers.get(name) ?? 0);
  return {
    bytes: new Uint8Array(await response.arrayBuffer()),
    next: number('X-Next-Offset'),
    size: number('X-Size'),
    ended: response.headers.get('X-Ended') === 'true',
  };
}
