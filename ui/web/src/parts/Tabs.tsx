import { type KeyboardEvent, type ReactNode, useId } from 'react';

export interface Tab<K extends string> {
  key: K;
  label: string;
  n?: number;
  body: () => ReactNode;
}

/** Tabs: arrows move between them, and only the chosen one is drawn. */
export function Tabs<K extends string>({
  tabs,
  chosen,
  choose,
  label,
}: {
  tabs: Tab<K>[];
  chosen: K;
  choose: (k: K) => void;
  label: string;
}) {
  const id = useId();
  const here = tabs.find((x) => x.key === chosen) ?? tabs[0];
  const move = (e: KeyboardEvent<HTMLDivElement>) => {
    const step = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
    const next = tabs[(tabs.findIndex((x) => x.key === here?.key) + step + tabs.length) % tabs.length];
    if (step === 0 || !next) return;
    e.preventDefault();
    choose(next.key);
    document.getElementById(`${id}-${next.key}`)?.focus();
  };
  if (!here) return null;
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map((x) => (
          <button
            key={x.key}
            id={`${id}-${x.key}`}
            type="button"
            role="tab"
            aria-selected={x.key === here.key}
            aria-controls={`${id}-panel`}
            tabIndex={x.key === here.key ? 0 : -1}
            onClick={() => choose(x.key)}
          >
            {x.label}
            {x.n !== undefined && x.n > 0 && <span className="n num">{x.n}</span>}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${here.key}`} className="stack">
        {here.body()}
      </div>
    </>
  );
}
