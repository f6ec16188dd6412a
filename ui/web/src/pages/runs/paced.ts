/**
 * paced reads when it is told to, at most once a gap: what is told while it reads is
 * read after that. Many words a second neither flood the house nor starve the page.
 */
export function paced(read: () => Promise<unknown>, gap: number): { tell: () => void; stop: () => void } {
  let told = false;
  let busy = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    busy = true;
    timer = setTimeout(() => {
      told = false;
      const after = () => {
        if (told) wait();
        else busy = false;
      };
      read().then(after, after); // whoever shows it shows the refusal, too
    }, gap);
  };
  return {
    tell: () => {
      told = true;
      if (!busy) wait();
    },
    stop: () => {
      clearTimeout(timer);
      busy = true; // for good
    },
  };
}
