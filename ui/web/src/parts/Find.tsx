import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

/**
 * A field to search by. What is typed is the field's own until it is said: the
 * address follows it, and would be too slow to lead. While a character is being
 * composed nothing is said at all.
 */
export function Find({ value, say, label }: { value: string; say: (text: string) => void; label: string }) {
  const [text, setText] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (document.activeElement !== field.current) setText(value); // somebody went back, or followed a link
  }, [value]);
  return (
    <label className="find">
      <Search size={14} aria-hidden />
      <span className="sr">{label}</span>
      <input
        ref={field}
        className="input"
        type="search"
        data-find
        placeholder={label}
        value={text}
        onChange={(e) => {
          setText(e.target.value);
          if (!(e.nativeEvent as InputEvent).isComposing) say(e.target.value);
        }}
        onCompositionEnd={(e) => say(e.currentTarget.value)}
      />
      <kbd aria-hidden>/</kbd>
    </label>
  );
}
