import { Check, Copy as CopyIcon, Terminal } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useT } from '../i18n/index.ts';

async function put(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function useCopied(): [boolean, (text: string) => void] {
  const [done, set] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => set(false), 1600);
    return () => clearTimeout(timer);
  }, [done]);
  return [done, (text) => void put(text).then(set)];
}

/** Copies a text; what names it for those who do not see the icon. */
export function Copy({ text, what }: { text: string; what: string }) {
  const t = useT();
  const [done, copy] = useCopied();
  return (
    <button
      type="button"
      className="btn quiet small icon"
      aria-label={done ? t.copied : t.copy(what)}
      title={t.copy(what)}
      onClick={() => copy(text)}
    >
      {done ? <Check size={13} aria-hidden /> : <CopyIcon size={13} aria-hidden />}
    </button>
  );
}

/** A command that does the same from a terminal. */
export function Command({ text }: { text: string }) {
  const t = useT();
  return (
    <div className="cmd">
      <code>{text}</code>
      <Copy text={text} what={t.command} />
    </div>
  );
}

/** Copies the command that does the same from a terminal. */
export function CopyCommand({ text }: { text: string }) {
  const t = useT();
  const [done, copy] = useCopied();
  return (
    <button type="button" className="btn" title={text} onClick={() => copy(text)}>
      {done ? <Check size={14} aria-hidden /> : <Terminal size={14} aria-hidden />}
      {done ? t.copied : t.copyCommand}
    </button>
  );
}

/** quote makes a word of a shell of any text. */
export const quote = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
