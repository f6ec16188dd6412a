import type { Line } from './talk.ts';

const most = 64 << 10; // bytes of a task; a message may have more, a crew does not read it
const deepest = 40; // messages back, as on the command line

/** brief words a talk as a task: what is to be done first, then as much of the end of the talk as fits. */
export function brief(what: string, heading: string, lines: Line[]): string {
  const head = `${what}\n\n${heading}\n`;
  const size = (text: string) => new TextEncoder().encode(text).length;
  let room = most - size(head);
  const said: string[] = [];
  for (const l of lines
    .filter((x) => !x.local)
    .slice(-deepest)
    .reverse()) {
    const line = `${l.role}: ${l.content}\n`;
    room -= size(line);
    if (room < 0) break;
    said.unshift(line);
  }
  return (head + said.join('')).trim();
}
