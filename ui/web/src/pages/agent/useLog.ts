import { useEffect, useState } from 'react';
import { line } from '../../live/line.ts';
import { piece } from '../../live/rest.ts';
import { store, useLive } from '../../live/store.ts';
import { Transcript } from './transcript.ts';

export interface Log {
  transcript: Transcript;
  lines: string[];
  size: number; // bytes that have been read
  skipped: number; // bytes before them that were not
  ended: boolean;
  version: number; // grows with every piece
  error: unknown;
}

const most = 2 << 20; // bytes of a log that a page reads: the end, as it is the end that is looked at

/**
 * useLog reads what an agent's process has said so far, and hears what it says
 * from then on by the socket's topic.
 */
export function useLog(agent: string, stream: 'stdout' | 'stderr'): Log {
  const [log, set] = useState<Log>(() => blank());
  const epoch = useLive('loaded', () => store.epoch);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another house has other logs
  useEffect(() => {
    const gone = new AbortController();
    const now = blank();
    let rest = '';
    let stop = () => {};
    const hear = (text: string, next: number, ended: boolean) => {
      now.transcript.add(text);
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const l of lines) now.lines.push(l);
      now.size = next;
      if (ended && !now.ended) {
        now.ended = true;
        now.transcript.end();
        if (rest) now.lines.push(rest);
        rest = '';
      }
      now.version++;
      set({ ...now });
    };
    set(now);
    (async () => {
      const first = await piece(agent, stream, 0, 1, gone.signal);
      let offset = Math.max(0, first.size - most);
      now.skipped = offset;
      const decoder = new TextDecoder();
      for (;;) {
        const chunk = await piece(agent, stream, offset, 1 << 18, gone.signal);
        offset = chunk.next;
        if (chunk.bytes.length > 0 || chunk.ended)
          hear(decoder.decode(chunk.bytes, { stream: true }), offset, chunk.ended);
        if (chunk.bytes.length === 0 || chunk.ended) {
          if (!chunk.ended) {
            const topic = `agent:${agent}:${stream === 'stdout' ? 'log' : 'stderr'}`;
            stop = line.follow(topic, offset, (p) => hear(p.text, p.next, p.ended === true));
          }
          return;
        }
      }
    })().catch((error: unknown) => {
      if (!gone.signal.aborted) set({ ...now, error });
    });
    return () => {
      gone.abort();
      stop();
    };
  }, [agent, stream, epoch]);
  return log;
}

function blank(): Log {
  return { transcript: new Transcript(), lines: [], size: 0, skipped: 0, ended: false, version: 0, error: null };
}
