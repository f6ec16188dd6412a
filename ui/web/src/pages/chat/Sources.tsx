import { Link } from '@tanstack/react-router';
import { ChevronRight, FileCode2, MessageSquareText } from 'lucide-react';
import { Copy } from '../../parts/Copy.tsx';
import { Lines } from './Markdown.tsx';
import { rangeOf } from './markdown.ts';
import type { Source } from './wire.ts';
import { useWords } from './words.ts';

const refOf = (s: Source): string => (s.path ? (s.span ? `${s.path}#${s.span}` : s.path) : `chat:${s.session_id}`);

/** What an answer could lean on: lines of the project, and of other talks. */
export function Sources({ of, query }: { of: Source[]; query: string }) {
  const w = useWords();
  return (
    <details className="sources">
      <summary>
        <ChevronRight size={13} className="turn" aria-hidden />
        {w.sources(of.length)}
      </summary>
      <ul>
        {of.map((s, i) => (
          <li key={i}>
            <div className="row">
              {s.path ? <FileCode2 size={13} aria-hidden /> : <MessageSquareText size={13} aria-hidden />}
              {s.path ? (
                <Lines path={s.path} span={s.span ?? ''} query={query} />
              ) : (
                <Link className="link mono one" to="/chat/$id" params={{ id: s.session_id ?? '' }}>
                  {refOf(s)}
                </Link>
              )}
              <Copy text={refOf(s)} what={w.ref} />
              <span className="sp" />
              <span className="faint small num">{s.score.toFixed(2)}</span>
            </div>
            <Numbered text={s.text} span={s.span ?? ''} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Lines with the numbers that they have in their file. */
function Numbered({ text, span }: { text: string; span: string }) {
  const range = rangeOf(span);
  const lines = text.replace(/\n$/, '').split('\n');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre className="numbered" tabIndex={0}>
      {lines.map((l, i) => (
        <span key={i} className="ln" data-n={range ? range[0] + i : ''}>
          {l}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
