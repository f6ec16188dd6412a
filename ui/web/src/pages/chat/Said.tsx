import { Bot, RotateCcw, UserRound } from 'lucide-react';
import { memo } from 'react';
import { Moment } from '../../parts/Clock.tsx';
import { Copy } from '../../parts/Copy.tsx';
import { Markdown } from './Markdown.tsx';
import { Sources } from './Sources.tsx';
import type { Line } from './talk.ts';
import { useWords } from './words.ts';

/** One utterance of a talk. */
export const Said = memo(function Said({
  line: l,
  query,
  again,
}: {
  line: Line;
  query: string;
  again: (() => void) | null;
}) {
  const w = useWords();
  const mine = l.role === 'user';
  return (
    <article className="utterance" data-role={l.role} data-local={l.local} data-fallback={l.fallback || undefined}>
      <header>
        {mine ? <UserRound size={14} aria-hidden /> : <Bot size={14} aria-hidden />}
        <b>{mine ? w.you : l.model_used || 'Kurogo'}</b>
        {l.fallback && (
          <span className="tag" data-tone="warn">
            {w.ours}
          </span>
        )}
        {l.local === 'failed' && (
          <span className="tag" data-tone="bad">
            {w.notWritten}
          </span>
        )}
        <span className="faint small">
          <Moment at={l.created_at} />
        </span>
        <span className="sp" />
        <span className="deeds">
          {again && (
            <button type="button" className="btn small" onClick={again}>
              <RotateCcw size={12} aria-hidden />
              {w.again}
            </button>
          )}
          <Copy text={l.content} what={w.message} />
        </span>
      </header>
      {mine ? <p className="text">{l.content}</p> : <Markdown text={l.content} query={query} />}
      {l.sources && l.sources.length > 0 && <Sources of={l.sources} query={query} />}
    </article>
  );
});

/** The answer that comes, as far as it has. */
export function Coming({ text, query }: { text: string; query: string }) {
  const w = useWords();
  return (
    <article className="utterance" data-role="assistant" aria-busy>
      <header>
        <Bot size={14} aria-hidden />
        <span className="st" data-tone="running" data-motion="running">
          <i className="beads" aria-hidden />
          {w.comes}
        </span>
      </header>
      {text && <Markdown text={text} query={query} />}
    </article>
  );
}
