import { type RefObject, useEffect, useState } from 'react';

/** useWidth is how many pixels an element has for what is drawn in it, no less than the least that makes sense. */
export function useWidth(ref: RefObject<HTMLElement | null>, least: number): number {
  const [width, setWidth] = useState(Math.max(least, 680));
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const see = new ResizeObserver(([e]) => {
      if (e) setWidth(Math.max(least, Math.floor(e.contentRect.width)));
    });
    see.observe(element);
    return () => see.disconnect();
  }, [ref, least]);
  return width;
}
