import { Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useT } from '../i18n/index.ts';
import { store, useLive } from '../live/store.ts';
import { useCount } from '../pages/approvals/useCount.ts';
import { Announcer } from './Announcer.tsx';
import { Banner } from './Banner.tsx';
import { useKeys } from './keys.ts';
import { Rail } from './Rail.tsx';
import { Top } from './Top.tsx';
import { Visitor } from './Visitor.tsx';

const Palette = lazy(() => import('./Palette.tsx').then((m) => ({ default: m.Palette })));
const Peek = lazy(() => import('./Peek.tsx').then((m) => ({ default: m.Peek })));
const Help = lazy(() => import('./Help.tsx').then((m) => ({ default: m.Help })));

/** What is around every page. */
export function Shell() {
  const t = useT();
  const stranger = useLive('conn', () => store.conn.state === 'stranger');
  const [box, setBox] = useState<'palette' | 'help' | null>(null);
  const peek = useRouterState({ select: (s) => (s.location.search as { peek?: string }).peek });
  const open = useMemo(() => ({ palette: () => setBox('palette'), help: () => setBox('help') }), []);
  useKeys(open);
  useCount();
  if (stranger) return <Visitor />;
  return (
    <div className="shell">
      <a className="skip btn" href="#page">
        {t.skip}
      </a>
      <Rail />
      <div className="main">
        <Top onPalette={open.palette} onHelp={open.help} />
        <Banner />
        <Outlet />
      </div>
      <News />
      <Announcer />
      <Suspense>
        {peek && <Peek key={peek} id={peek} />}
        {box === 'palette' && <Palette onClose={() => setBox(null)} />}
        {box === 'help' && <Help onClose={() => setBox(null)} />}
      </Suspense>
    </div>
  );
}

/** What has happened behind a picture that is held still. */
function News() {
  const t = useT();
  const held = useLive('held', () => store.held);
  if (held === 0) return null;
  return (
    <button type="button" className="pill num" onClick={() => store.resume()}>
      {t.conn.held(held)}
    </button>
  );
}
