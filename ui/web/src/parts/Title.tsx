import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useT } from '../i18n/index.ts';
import { Copy } from './Copy.tsx';
import { toneOf } from './Status.tsx';

/** The head of a page about one thing: what it is, its id, what it does just now, and what can be done with it. */
export function Title({
  icon: Icon,
  status,
  name,
  id,
  now,
  children,
}: {
  icon: LucideIcon;
  status: string;
  name: ReactNode;
  id: string;
  now?: string | false;
  children: ReactNode;
}) {
  const t = useT();
  return (
    <header className="title" data-tone={toneOf(status)}>
      <span className="sigil">
        <Icon size={20} aria-hidden />
      </span>
      <div className="names">
        <h2>{name}</h2>
        <span className="with mono faint">
          <span className="one">{id}</span>
          <Copy text={id} what={t.col.id} />
          {now && (
            <span className="dim" role="status">
              {now}
            </span>
          )}
        </span>
      </div>
      <span className="sp" />
      <div className="row">{children}</div>
    </header>
  );
}
