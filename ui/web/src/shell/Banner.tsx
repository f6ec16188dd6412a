import { RefreshCw, Unplug } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useT } from '../i18n/index.ts';
import { line } from '../live/line.ts';
import { store, useLive } from '../live/store.ts';

/** Says that what is seen is not what is, and since when the line is tried again. */
export function Banner() {
  const t = useT();
  const conn = useLive('conn', () => store.conn);
  if (conn.state === 'outdated') {
    return (
      <div className="banner" data-tone="warn" role="alert">
        <RefreshCw size={15} aria-hidden />
        {t.conn.reload}
        <button type="button" className="btn small" onClick={() => location.reload()}>
          {t.conn.reloadVerb}
        </button>
      </div>
    );
  }
  if (conn.state !== 'down') return null;
  return (
    <div className="banner" data-tone="warn" role="alert">
      <Unplug size={15} aria-hidden />
      <span>
        {store.loaded ? t.conn.lost : t.conn.never} <Countdown to={conn.retryAt} />
      </span>
      <button type="button" className="btn small" onClick={() => line.hurry()}>
        {t.conn.now}
      </button>
    </div>
  );
}

function Countdown({ to }: { to: number }) {
  const t = useT();
  const [, again] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => again((n) => n + 1), 500);
    return () => clearInterval(timer);
  }, []);
  return <span aria-hidden>{t.conn.retry(Math.max(0, Math.ceil((to - Date.now()) / 1000)))}</span>;
}
