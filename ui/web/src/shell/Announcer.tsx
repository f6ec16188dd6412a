import { useEffect, useState } from 'react';
import { useT } from '../i18n/index.ts';
import { store } from '../live/store.ts';

const pause = 5_000;

/** Says in one sentence, at most every five seconds, what has ended. Single events would never stop talking. */
export function Announcer() {
  const t = useT();
  const [text, say] = useState('');
  useEffect(() => {
    const timer = setInterval(() => {
      const { well, ill } = store.ended;
      if (well + ill === 0) return;
      store.ended = { well: 0, ill: 0 };
      say(t.announce(well, ill));
    }, pause);
    return () => clearInterval(timer);
  }, [t]);
  return (
    <div className="sr" role="log" aria-live="polite">
      {text}
    </div>
  );
}
