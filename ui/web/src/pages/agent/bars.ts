import type { ToolCall } from '../../live/words.ts';

/** One use of a tool on the axis of all that are shown; left and width are percent. */
export interface Bar {
  id: string;
  name: string;
  left: number;
  width: number;
  took: number; // ms
  after: number; // ms since the agent began
  open: boolean;
}

const least = 0.6; // percent, so that what took no time is seen

/** bars lays uses of tools on one axis, from the first of them to the last end. */
export function bars(calls: ToolCall[], began: number, now: number): Bar[] {
  const start = (c: ToolCall) => Date.parse(c.startedAt ?? '');
  const end = (c: ToolCall) => (c.endedAt ? Date.parse(c.endedAt) : Math.max(now, start(c)));
  const from = Math.min(...calls.map(start));
  const span = Math.max(1, Math.max(...calls.map(end)) - from);
  return calls.map((c) => {
    const width = Math.max(least, ((end(c) - start(c)) / span) * 100);
    return {
      id: c.callId,
      name: c.type,
      left: Math.min(100 - width, ((start(c) - from) / span) * 100),
      width,
      took: end(c) - start(c),
      after: Number.isNaN(began) ? 0 : Math.max(0, start(c) - began),
      open: !c.endedAt,
    };
  });
}
