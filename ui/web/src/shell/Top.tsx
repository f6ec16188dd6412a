import { useRouterState } from '@tanstack/react-router';
import { CircleHelp, Languages, Menu, Moon, Pause, Play, Search, Sun } from 'lucide-react';
import { setLang, useLang, useT } from '../i18n/index.ts';
import { store, useLive } from '../live/store.ts';
import { titleOf } from './pages.ts';
import { railId } from './Rail.tsx';
import { setTheme, useTheme } from './theme.ts';

const tone = { connecting: 'warn', live: 'good', down: 'bad', stranger: 'bad', outdated: 'warn' } as const;

/** The bar over every page: where one is, whether it is live, and the few things that are always at hand. */
export function Top({ onPalette, onHelp }: { onPalette: () => void; onHelp: () => void }) {
  const t = useT();
  const path = useRouterState({ select: (s) => s.location.pathname });
  const conn = useLive('conn', () => store.conn);
  const paused = useLive('held', () => store.paused);
  const theme = useTheme();
  const lang = useLang();
  return (
    <header className="top">
      <button type="button" className="btn quiet icon menu" popoverTarget={railId} aria-label={t.nav.label}>
        <Menu size={18} aria-hidden />
      </button>
      <h1>{titleOf(path, t)}</h1>
      <span className="sp" />
      <span className="live" data-tone={paused ? 'warn' : tone[conn.state]} role="status">
        <i aria-hidden />
        {paused ? t.conn.paused : t.conn[conn.state]}
      </span>
      <button
        type="button"
        className="btn quiet icon"
        aria-pressed={paused}
        aria-label={paused ? t.conn.resume : t.conn.pause}
        title={`${paused ? t.conn.resume : t.conn.pause} (p)`}
        onClick={() => (paused ? store.resume() : store.pause())}
      >
        {paused ? <Play size={16} aria-hidden /> : <Pause size={16} aria-hidden />}
      </button>
      <button type="button" className="btn" onClick={onPalette}>
        <Search size={14} aria-hidden />
        <span className="fold">{t.palette.open}</span>
        <kbd className="wide" aria-hidden>
          Ctrl K
        </kbd>
      </button>
      <button
        type="button"
        className="btn quiet"
        lang={lang === 'ja' ? 'en' : 'ja'}
        onClick={() => setLang(lang === 'ja' ? 'en' : 'ja')}
      >
        <Languages size={15} aria-hidden />
        <span className="fold">{t.otherLang}</span>
      </button>
      <button
        type="button"
        className="btn quiet icon"
        aria-label={theme === 'dark' ? t.light : t.dark}
        title={theme === 'dark' ? t.light : t.dark}
        onClick={() => setTheme(theme === 'dark' ? 'light' : 'dark')}
      >
        {theme === 'dark' ? <Sun size={16} aria-hidden /> : <Moon size={16} aria-hidden />}
      </button>
      <button
        type="button"
        className="btn quiet icon wide"
        aria-label={t.help.title}
        title={`${t.help.title} (?)`}
        onClick={onHelp}
      >
        <CircleHelp size={16} aria-hidden />
      </button>
    </header>
  );
}
