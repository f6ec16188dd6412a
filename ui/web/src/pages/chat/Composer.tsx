import { SendHorizontal } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useWords } from './words.ts';

const key = 'kurogo.chat.enter';

// What this browser was told Enter means; it sends unless it was told otherwise.
function useEnter(): [boolean, (sends: boolean) => void] {
  const [sends, set] = useState(() => {
    try {
      return localStorage.getItem(key) !== 'newline';
    } catch {
      return true;
    }
  });
  return [
    sends,
    (next) => {
      set(next);
      try {
        localStorage.setItem(key, next ? 'send' : 'newline');
      } catch {
        // nobody may write here: it holds until the page is left
      }
    },
  ];
}

/** Where a person says something. While a character is being composed, Enter only ends that. */
export function Composer({
  input,
  setInput,
  loading,
  send,
}: {
  input: string;
  setInput: (text: string) => void;
  loading: boolean;
  send: () => void;
}) {
  const w = useWords();
  const [enter, setEnter] = useEnter();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (window.matchMedia('(pointer: fine)').matches) field.current?.focus();
  }, []);
  const keys = (e: KeyboardEvent) => {
    if (e.key !== 'Enter' || e.nativeEvent.isComposing || e.keyCode === 229) return;
    if (!(e.ctrlKey || e.metaKey) && (!enter || e.shiftKey || e.altKey)) return;
    e.preventDefault();
    if (!loading) send();
  };
  return (
    <form
      className="say"
      onSubmit={(e) => {
        e.preventDefault();
        if (!loading) send();
      }}
    >
      <textarea
        ref={field}
        className="input"
        rows={2}
        aria-label={w.say}
        aria-describedby="say-how"
        placeholder={w.hint}
        value={input}
        onChange={(e) => setInput(e.target.value)}
        onKeyDown={keys}
      />
      <div className="row">
        <label className="faint small enters">
          <input type="checkbox" checked={enter} onChange={(e) => setEnter(e.target.checked)} />
          {w.enterSends}
        </label>
        <span className="faint small fold" id="say-how">
          {enter ? w.enterHint : w.ctrlHint}
        </span>
        <span className="sp" />
        <button type="submit" className="btn go" disabled={loading || !input.trim()}>
          <SendHorizontal size={14} aria-hidden />
          {w.send}
        </button>
      </div>
    </form>
  );
}
