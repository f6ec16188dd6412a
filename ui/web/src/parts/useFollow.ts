import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';

const near = 24; // px from the end that count as the end

/** useFollow keeps the end of a list in sight, unless its reader has scrolled away from it. */
export function useFollow(ref: RefObject<HTMLElement | null>, version: number): { follow: boolean; toEnd: () => void } {
  const [follow, set] = useState(true);
  useEffect(() => {
    const box = ref.current;
    if (!box) return;
    const look = () => set(box.scrollHeight - box.scrollTop - box.clientHeight < near);
    box.addEventListener('scroll', look, { passive: true });
    return () => box.removeEventListener('scroll', look);
  }, [ref]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: version says that there is more
  useLayoutEffect(() => {
    const box = ref.current;
    if (box && follow) box.scrollTop = box.scrollHeight;
  }, [version, follow, ref]);
  return { follow, toEnd: () => set(true) };
}
