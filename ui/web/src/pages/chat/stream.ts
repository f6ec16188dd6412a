import { Refused } from '../../live/socket.ts';
import type { Fault } from '../../live/words.ts';
import type { Message } from './wire.ts';

/** What a turn of a chat is answered with. */
export interface Turn {
  session_id: string;
  message: Message;
}

/** What is heard while an answer comes: pieces to append, and now and then that all of them were wrong. */
export interface Ear {
  accepted(turn: Turn): void;
  delta(text: string): void;
  reset(): void;
}

/** Events reads server-sent events out of pieces of text that are cut anywhere. */
export class Events {
  private rest = '';
  private name = '';
  private data: string[] = [];

  /** take returns the events that are whole by now. */
  take(piece: string): { name: string; data: string }[] {
    const out: { name: string; data: string }[] = [];
    const lines = (this.rest + piece).split('\n');
    this.rest = lines.pop() ?? '';
    for (const raw of lines) {
      const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
      if (line === '') {
        if (this.data.length > 0) out.push({ name: this.name || 'message', data: this.data.join('\n') });
        this.name = '';
        this.data = [];
      } else if (line.startsWith('event:')) this.name = line.slice(6).trim();
      else if (line.startsWith('data:')) this.data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
    }
    return out;
  }
}

/**
 * say sends what a person said, and hears the answer as it is found. The key makes
 * saying it again the same saying. An answer in one piece is taken, too.
 */
export async function say(
  said: { user_input: string; session_id: string | null },
  key: string,
  ear: Ear,
  signal: AbortSignal,
): Promise<Turn> {
  let response: Response;
  try {
    response = await fetch('/api/chat', {
      method: 'POST',
      cache: 'no-store',
      headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream', 'Idempotency-Key': key },
      body: JSON.stringify(said),
      signal,
    });
  } catch (e) {
    if (signal.aborted) throw e;
    throw new Refused({ code: 'unavailable', message: 'Kurogo does not answer' });
  }
  const streams = response.headers.get('Content-Type')?.startsWith('text/event-stream');
  if (!response.ok || !streams || !response.body) return whole(response);
  const events = new Events();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      for (const { name, data } of events.take(value)) {
        if (name === 'accepted') ear.accepted(JSON.parse(data) as Turn);
        else if (name === 'delta') ear.delta((JSON.parse(data) as { text: string }).text);
        else if (name === 'reset') ear.reset();
        else if (name === 'done') return JSON.parse(data) as Turn;
        else if (name === 'fault') throw new Refused(JSON.parse(data) as Fault);
      }
    }
  } catch (e) {
    if (e instanceof Refused || signal.aborted) throw e;
  } finally {
    reader.cancel().catch(() => {}); // it has ended, or is not wanted any more
  }
  throw new Refused({ code: 'unavailable', message: 'the answer broke off before its end' });
}

async function whole(response: Response): Promise<Turn> {
  let envelope: { ok: boolean; data: Turn; error: Fault | null };
  try {
    envelope = JSON.parse(await response.text());
  } catch {
    throw new Refused({ code: 'internal', message: `HTTP ${response.status}` });
  }
  if (!response.ok || !envelope.ok) {
    throw new Refused(envelope.error ?? { code: 'internal', message: `HTTP ${response.status}` });
  }
  return envelope.data;
}
