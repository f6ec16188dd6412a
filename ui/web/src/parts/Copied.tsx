import type { ReactNode } from 'react';
import { Copy } from './Copy.tsx';

/** A text under its name, to be read and copied; mark stands before the name, children are how it is drawn. */
export function Copied({
  name,
  text,
  mark,
  children,
}: {
  name: string;
  text: string;
  mark?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <section className="panel">
      <header>
        {mark}
        <h3>{name}</h3>
        <span className="sp" />
        <Copy text={text} what={name} />
      </header>
      {children ?? <p className="in text">{text}</p>}
    </section>
  );
}
