import { useEffect, useRef, useState } from 'react';
import { useLang } from '../i18n/index.ts';
import { store } from '../live/store.ts';
import { at, brief, exact, moment, span } from './time.ts';

// One clock for the page: it writes the text of every running span itself, so
// that a second costs no rendering.
const running = new Map<HTMLElement, () => string>();

function tick(): void {
  for (const [element, text] of running) {
    const next = text();
    if (element.firstChild && element.firstChild.nodeValue !== next) element.firstChild.nodeValue = next;
  }
}

const ticks = new Set<() => void>();
if (typeof window !== 'undefined') {
  setInterval(() => {
    tick();
    for (const f of ticks) f();
  }, 1000);
}

/** useSecond renders once a second, for pictures that move with time. */
export function useSecond(on: boolean): number {
  const [now, set] = useState(() => store.now());
  useEffect(() => {
    if (!on) return;
    const f = () => set(store.now());
    ticks.add(f);
    return () => {
      ticks.delete(f);
    };
  }, [on]);
  return on ? now : store.now();
}

/** How long something has run, or ran. */
export function Elapsed({ from, to }: { from: string | undefined; to?: string | null | undefined }) {
  const ref = useRef<HTMLSpanElement>(null);
  const start = at(from);
  const end = at(to);
  const text = () => (Number.isNaN(start) ? '–' : Number.isNaN(end) ? span(store.now() - start) : brief(end - start));
  // biome-ignore lint/correctness/useExhaustiveDependencies: text is start and end
  useEffect(() => {
    const element = ref.current;
    if (!element || Number.isNaN(start) || !Number.isNaN(end)) return;
    running.set(element, text);
    return () => {
      running.delete(element);
    };
  }, [start, end]);
  return (
    <span ref={ref} className="num" suppressHydrationWarning>
      {text()}
    </span>
  );
}

/** How long until something is due. */
export function Until({ to }: { to: string }) {
  const ref = useRef<HTMLSpanElement>(null);
  const end = at(to);
  const text = () => span(end - store.now());
  // biome-ignore lint/correctness/useExhaustiveDependencies: text is end
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    running.set(element, text);
    return () => {
      running.delete(element);
    };
  }, [end]);
  return (
    <span ref={ref} className="num">
      {text()}
    </span>
  );
}

/** A moment, with its day on hover. */
export function Moment({ at: iso }: { at: string | null | undefined }) {
  const lang = useLang();
  if (!iso) return <span className="faint">–</span>;
  return (
    <time className="num" dateTime={iso} title={exact(iso, lang)}>
      {moment(iso, lang)}
    </time>
  );
}
