import { Link } from '@tanstack/react-router';
import { memo, type ReactNode } from 'react';
import { Copy } from '../../parts/Copy.tsx';
import { type Block, blocks, type Inline, inline, pieces } from './markdown.ts';

/** An answer with its form. Finished pieces of it are drawn once, however much comes behind them. */
export function Markdown({ text, query }: { text: string; query?: string | undefined }) {
  return (
    <div className="md">
      {pieces(text).map((p, i) => (
        <Piece key={i} text={p} query={query} />
      ))}
    </div>
  );
}

const Piece = memo(function Piece({ text, query }: { text: string; query?: string | undefined }) {
  return <>{blocks(text).map((b, i) => drawn(b, i, query))}</>;
});

function drawn(b: Block, key: number, query?: string): ReactNode {
  switch (b.kind) {
    case 'heading':
      // The page has its own order of headings, and an answer may begin with any level.
      return (
        <h3 key={key} data-level={b.level}>
          {worded(inline(b.text), query)}
        </h3>
      );
    case 'text':
      return <p key={key}>{worded(inline(b.text), query)}</p>;
    case 'code':
      return (
        <figure key={key} className="code">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <pre tabIndex={0}>
            <code>{b.text}</code>
          </pre>
          <figcaption>
            {b.lang && <span className="faint mono">{b.lang}</span>}
            <Copy text={b.text} what={b.lang || 'code'} />
          </figcaption>
        </figure>
      );
    case 'quote':
      return <blockquote key={key}>{b.of.map((x, i) => drawn(x, i, query))}</blockquote>;
    case 'rule':
      return <hr key={key} />;
    case 'list': {
      const items = b.items.map((of, i) => <li key={i}>{of.map((x, n) => drawn(x, n, query))}</li>);
      return b.start === null ? (
        <ul key={key}>{items}</ul>
      ) : (
        <ol key={key} start={b.start}>
          {items}
        </ol>
      );
    }
    case 'table':
      return (
        <div key={key} className="tablewrap">
          <table className="data">
            <thead>
              <tr>
                {b.head.map((c, i) => (
                  <th key={i}>{worded(inline(c), query)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {b.rows.map((r, i) => (
                <tr key={i}>
                  {r.map((c, n) => (
                    <td key={n}>{worded(inline(c), query)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
  }
}

function worded(of: Inline[], query?: string): ReactNode {
  return of.map((x, i) => word(x, i, query));
}

function word(x: Inline, key: number, query?: string): ReactNode {
  if (typeof x === 'string') return x;
  switch (x.kind) {
    case 'code':
      return <code key={key}>{x.text}</code>;
    case 'strong':
      return <strong key={key}>{worded(x.of, query)}</strong>;
    case 'em':
      return <em key={key}>{worded(x.of, query)}</em>;
    case 'del':
      return <del key={key}>{worded(x.of, query)}</del>;
    case 'link':
      return (
        <a key={key} className="link" href={x.href} target="_blank" rel="noreferrer noopener">
          {worded(x.of, query)}
        </a>
      );
    case 'lines':
      return <Lines key={key} path={x.path} span={x.span} query={query} />;
    case 'talk':
      return (
        <Link key={key} className="link mono" to="/chat/$id" params={{ id: x.id }}>
          chat:{x.id}
        </Link>
      );
  }
}

/** Leads to lines of a file, where the search page shows them. */
export function Lines({ path, span, query }: { path: string; span: string; query?: string | undefined }) {
  const open = span ? `${path}#${span}` : path;
  return (
    <Link className="link mono" to="/search" search={query ? { q: query, open } : { open }}>
      {open}
    </Link>
  );
}
