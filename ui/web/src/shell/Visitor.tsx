import { KeyRound } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useT } from '../i18n/index.ts';
import { Command } from '../parts/Copy.tsx';

/** The code of an address that lets one browser in, or of the code alone; null if it is none. */
export function codeOf(text: string): string | null {
  const said = text.trim();
  try {
    const code = new URL(said).searchParams.get('code');
    if (code) return code;
  } catch {
    // no address: perhaps the code alone
  }
  return /^[\w-]{20,}$/.test(said) ? said : null;
}

/** Who has no token sees how to get in, and nothing else. */
export function Visitor() {
  const t = useT();
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState(false);
  const enter = (e: FormEvent) => {
    e.preventDefault();
    const code = codeOf(text);
    setWrong(code === null);
    if (code !== null) location.assign(`/login?code=${encodeURIComponent(code)}`);
  };
  return (
    <main className="visitor">
      <section className="empty">
        <img src="/favicon.svg" alt="" width={52} height={52} />
        <h1>{t.visitor.title}</h1>
        <p>{t.visitor.why}</p>
        <Command text="kurogo ui" />
        <p>{t.visitor.or}</p>
        <form className="row" onSubmit={enter}>
          <input
            className="input"
            aria-label={t.visitor.field}
            placeholder="http://127.0.0.1:9696/login?code=…"
            value={text}
            aria-invalid={wrong}
            onChange={(e) => setText(e.target.value)}
          />
          <button type="submit" className="btn go">
            <KeyRound size={14} aria-hidden />
            {t.visitor.enter}
          </button>
        </form>
        {wrong && <p role="alert">{t.visitor.wrong}</p>}
      </section>
    </main>
  );
}
