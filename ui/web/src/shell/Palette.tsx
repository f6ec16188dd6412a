import { useNavigate } from '@tanstack/react-router';
import { Boxes, Languages, type LucideIcon, Moon, Pause, Play, Search, Sun } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { setLang, useLang, useT } from '../i18n/index.ts';
import { store } from '../live/store.ts';
import { iconOf } from '../parts/icons.ts';
import { house, pages } from './pages.ts';
import { setTheme, useTheme } from './theme.ts';

interface Choice {
  key: string;
  text: string;
  hint: string;
  icon: LucideIcon;
  run: () => void;
}

const most = 12;

/** Goes anywhere and does anything by a few letters of its name. */
export function Palette({ onClose }: { onClose: () => void }) {
  const t = useT();
  const lang = useLang();
  const theme = useTheme();
  const navigate = useNavigate();
  const ref = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const wanted = useDeferredValue(text).trim().toLowerCase();
  useEffect(() => {
    if (!ref.current?.open) ref.current?.showModal();
  }, []);

  const choices = useMemo(() => {
    const all: Choice[] = [...pages, ...house].map((p) => ({
      key: p.to,
      text: t.nav[p.name],
      hint: `g ${p.key}`,
      icon: p.icon,
      run: () => void navigate({ to: p.to }),
    }));
    all.push(
      {
        key: 'theme',
        text: theme === 'dark' ? t.light : t.dark,
        hint: '',
        icon: theme === 'dark' ? Sun : Moon,
        run: () => setTheme(theme === 'dark' ? 'light' : 'dark'),
      },
      { key: 'lang', text: t.otherLang, hint: '', icon: Languages, run: () => setLang(lang === 'ja' ? 'en' : 'ja') },
      {
        key: 'pause',
        text: store.paused ? t.conn.resume : t.conn.pause,
        hint: 'p',
        icon: store.paused ? Play : Pause,
        run: () => (store.paused ? store.resume() : store.pause()),
      },
    );
    if (wanted === '') return all.slice(0, most);
    for (const a of store.agents.values()) {
      all.push({
        key: a.agentId,
        text: a.agentId,
        hint: t.state[a.status],
        icon: iconOf(a.role),
        run: () => void navigate({ to: '/agents/$id', params: { id: a.agentId } }),
      });
    }
    for (const g of store.groups.values()) {
      all.push({
        key: g.groupId,
        text: g.description,
        hint: g.groupId,
        icon: Boxes,
        run: () => void navigate({ to: '/groups/$id', params: { id: g.groupId } }),
      });
    }
    for (const x of store.tasks.values()) {
      if (x.depth > 0) continue;
      all.push({
        key: x.id,
        text: x.content.slice(0, 120),
        hint: t.state[x.status],
        icon: iconOf(x.owner),
        run: () => void navigate({ to: '/tasks/$id', params: { id: x.id } }),
      });
    }
    return all.filter((c) => `${c.text} ${c.key}`.toLowerCase().includes(wanted)).slice(0, most);
  }, [wanted, t, lang, theme, navigate]);

  const here = Math.min(at, choices.length - 1);
  const take = (c: Choice | undefined) => {
    if (!c) return;
    onClose();
    c.run();
  };
  const keys = (e: KeyboardEvent) => {
    if (e.nativeEvent.isComposing) return;
    if (e.key === 'ArrowDown') setAt(Math.min(choices.length - 1, here + 1));
    else if (e.key === 'ArrowUp') setAt(Math.max(0, here - 1));
    else if (e.key === 'Enter') take(choices[here]);
    else return;
    e.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes a dialog without us
    <dialog
      ref={ref}
      className="box palette"
      aria-label={t.palette.open}
      onClose={onClose}
      onClick={(e) => {
        if (e.target === ref.current) onClose();
      }}
    >
      <div className="ask">
        <Search size={16} aria-hidden />
        <input
          role="combobox"
          aria-expanded
          aria-controls="palette-list"
          aria-activedescendant={choices[here] ? `pal-${here}` : undefined}
          aria-label={t.palette.open}
          placeholder={t.palette.hint}
          value={text}
          onChange={(e) => {
            setText(e.target.value);
            setAt(0);
          }}
          onKeyDown={keys}
        />
      </div>
      <div id="palette-list" role="listbox" aria-label={t.palette.open}>
        {choices.map((c, i) => (
          <div
            key={c.key}
            id={`pal-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === here}
            onPointerMove={() => setAt(i)}
            onClick={() => take(c)}
            onKeyDown={keys}
          >
            <c.icon size={15} aria-hidden />
            <span className="one">{c.text}</span>
            <span className="faint mono">{c.hint}</span>
          </div>
        ))}
      </div>
      {choices.length === 0 && <p className="none">{t.palette.none}</p>}
    </dialog>
  );
}
