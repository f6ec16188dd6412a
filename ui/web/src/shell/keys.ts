import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { store } from '../live/store.ts';
import { house, pages } from './pages.ts';

const chord = 1_200; // ms between g and the letter behind it

const typing = (e: KeyboardEvent): boolean =>
  e.isComposing ||
  (e.target instanceof Element && e.target.closest('input, textarea, select, [contenteditable], dialog') !== null);

/** Every key that works everywhere. Nothing is taken from who is typing. */
export function useKeys(open: { palette: () => void; help: () => void }): void {
  const navigate = useNavigate();
  useEffect(() => {
    let g = 0;
    const peek = (id: string) => void navigate({ to: '.', search: (old) => ({ ...old, peek: id }) });
    const look = (e: MouseEvent) => {
      const item = e.altKey && e.target instanceof Element && e.target.closest<HTMLElement>('[data-peek]');
      if (!item || item.dataset.peek === undefined) return;
      e.preventDefault();
      e.stopPropagation();
      peek(item.dataset.peek);
    };
    const hear = (e: KeyboardEvent) => {
      if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === 'k') {
        e.preventDefault();
        return open.palette();
      }
      if (e.ctrlKey || e.metaKey || e.altKey || typing(e)) return;
      if (e.timeStamp - g < chord) {
        g = 0;
        const page = [...pages, ...house].find((p) => p.key === e.key);
        if (page) {
          e.preventDefault();
          void navigate({ to: page.to });
          return;
        }
      }
      switch (e.key) {
        case 'g':
          g = e.timeStamp;
          return;
        case '?':
          return open.help();
        case 'p':
          return store.paused ? store.resume() : store.pause();
        case '/': {
          const find = document.querySelector<HTMLInputElement>('[data-find]');
          if (!find) return;
          e.preventDefault();
          return find.focus();
        }
        case 'o': {
          const item = document.activeElement?.closest<HTMLElement>('[data-peek]');
          if (item?.dataset.peek) peek(item.dataset.peek);
          return;
        }
        case 'j':
        case 'k':
          e.preventDefault();
          return step(e.key === 'j' ? 1 : -1);
      }
    };
    addEventListener('keydown', hear);
    addEventListener('click', look, true);
    return () => {
      removeEventListener('keydown', hear);
      removeEventListener('click', look, true);
    };
  }, [navigate, open]);
}

// step moves the focus through what a page lists; Enter then opens it, as any link.
function step(by: 1 | -1): void {
  const items = [...document.querySelectorAll<HTMLElement>('[data-item]')].filter((x) => x.offsetParent !== null);
  if (items.length === 0) return;
  items.sort((a, b) => {
    const p = a.getBoundingClientRect();
    const q = b.getBoundingClientRect();
    return p.top - q.top || p.left - q.left;
  });
  const here = items.indexOf(document.activeElement as HTMLElement);
  const next = items[here < 0 ? 0 : Math.min(items.length - 1, Math.max(0, here + by))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
