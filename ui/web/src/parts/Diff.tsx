import { Copy } from './Copy.tsx';

const kindOf = (line: string): string | undefined => {
  if (line.startsWith('+++') || line.startsWith('---') || line.startsWith('diff ') || line.startsWith('index '))
    return 'file';
  if (line.startsWith('@@')) return 'hunk';
  if (line.startsWith('+')) return 'add';
  if (line.startsWith('-')) return 'del';
  return undefined;
};

/** A unified diff. The signs stay, so that colour is never alone. */
export function Diff({ text, label }: { text: string; label: string }) {
  return (
    <figure className="panel">
      <header>
        <h3>{label}</h3>
        <span className="sp" />
        <Copy text={text} what={label} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className="diff" tabIndex={0}>
        {text
          .replace(/\n$/, '')
          .split('\n')
          .map((line, i) => (
            <span key={i} data-kind={kindOf(line)}>
              {line || ' '}
            </span>
          ))}
      </pre>
    </figure>
  );
}
