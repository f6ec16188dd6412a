import { Link, useNavigate } from '@tanstack/react-router';
import { Maximize2, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { AgentView } from '../pages/agent/AgentPage.tsx';
import { useWords } from '../pages/agent/words.ts';

/**
 * A look at an agent over any page. The page stays where it is, the address says
 * that somebody looks, and Esc ends it.
 */
export function Peek({ id }: { id: string }) {
  const w = useWords();
  const navigate = useNavigate();
  const box = useRef<HTMLDivElement>(null);
  const [tab, choose] = useState<string | undefined>(undefined);
  const close = () => void navigate({ to: '.', search: ({ peek: _, ...rest }) => rest, replace: true });
  useEffect(() => {
    const before = document.activeElement;
    box.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: close says the same at any time
  useEffect(() => {
    const hear = (e: KeyboardEvent) => {
      if (e.key === 'Escape' && !e.isComposing && !document.querySelector('dialog[open]')) close();
    };
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  }, []);
  return (
    <div className="peek" role="dialog" aria-label={id} tabIndex={-1} ref={box}>
      <div className="peekbar">
        <Link to="/agents/$id" params={{ id }} className="btn small">
          <Maximize2 size={13} aria-hidden />
          {w.whole}
        </Link>
        <span className="sp" />
        <button type="button" className="btn quiet icon" aria-label={w.close} title={w.close} onClick={close}>
          <X size={16} aria-hidden />
        </button>
      </div>
      <article className="in">
        <AgentView key={id} id={id} tab={tab} choose={choose} />
      </article>
    </div>
  );
}
