import { Brain, MessageSquareText, Wrench } from 'lucide-react';
import { useRef } from 'react';
import { useT } from '../../i18n/index.ts';
import { Moment } from '../../parts/Clock.tsx';
import { useFollow } from '../../parts/useFollow.ts';
import type { Thought } from './script.ts';

const most = 200;

const icons = { thinking: Brain, text: MessageSquareText, tool: Wrench };

/** What goes on in their heads, and in detail also what they say and use. */
export function Thinking({ thoughts, detailed, version }: { thoughts: Thought[]; detailed: boolean; version: number }) {
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  useFollow(box, version);
  const shown = thoughts.filter((x) => detailed || x.kind === 'thinking').slice(-most);
  return (
    <aside className="side" aria-label={t.thinking}>
      <header>
        <Brain size={16} aria-hidden />
        <h2>{t.thinking}</h2>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="scroller" ref={box} tabIndex={0} role="region" aria-label={t.thinking}>
        {shown.length === 0 && <p className="thought dim">{t.flow.noThoughts}</p>}
        {shown.map((x) => {
          const Icon = icons[x.kind];
          return (
            <div className="thought" key={x.seq}>
              <span className="with small">
                <Icon size={13} aria-hidden />
                <b>{x.from}</b>
                <span className="faint">
                  <Moment at={x.at} />
                </span>
              </span>
              <p className="text">
                {x.tool && <code>{x.tool} </code>}
                {x.text}
              </p>
            </div>
          );
        })}
      </div>
    </aside>
  );
}
