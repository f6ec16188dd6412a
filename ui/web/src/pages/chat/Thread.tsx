import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, MessagesSquare } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Empty } from '../../parts/Empty.tsx';
import { Coming, Said } from './Said.tsx';
import { type Line, type Talk, waits } from './talk.ts';
import { useWords } from './words.ts';

const near = 80; // px from the end that count as the end
const early = 600; // px from the beginning at which what is before it is asked for

/**
 * What was said, with its end in sight. Only what is seen is drawn; what is read
 * before it, or grows above, does not move what is being looked at.
 */
export function Thread({ talk, earlier, again }: { talk: Talk; earlier: () => void; again: () => void }) {
  const w = useWords();
  const box = useRef<HTMLDivElement>(null);
  const { lines } = talk;
  const coming = talk.saying !== null && lines.at(-1)?.role === 'user';
  const owed = coming || waits(talk);
  const rows = useVirtualizer({
    count: lines.length + (owed ? 1 : 0),
    getScrollElement: () => box.current,
    estimateSize: (i) => guess(lines[i]),
    getItemKey: (i) => lines[i]?.id ?? 'coming',
    overscan: 6,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: near,
    paddingStart: 12,
    paddingEnd: 16,
  });
  const [away, setAway] = useState(false);

  // A talk is opened at its end.
  const opened = useRef(false);
  const there = lines.length > 0;
  useLayoutEffect(() => {
    if (!there || opened.current) return;
    opened.current = true;
    rows.scrollToEnd();
  }, [there, rows]);

  // Who says something wants to see it, wherever he was.
  const saying = talk.saying?.key;
  useLayoutEffect(() => {
    if (saying) rows.scrollToEnd();
  }, [saying, rows]);

  const more = talk.more;
  useEffect(() => {
    const scroller = box.current;
    if (!scroller) return;
    const look = () => {
      const { scrollTop, scrollHeight, clientHeight } = scroller;
      setAway(scrollHeight - scrollTop - clientHeight > near);
      if (more && scrollTop < early && scrollHeight > clientHeight) earlier();
    };
    scroller.addEventListener('scroll', look, { passive: true });
    return () => scroller.removeEventListener('scroll', look);
  }, [more, earlier]);

  // An answer is looked for with the words of its question.
  const questions = useMemo(() => {
    const out: string[] = [];
    let last = '';
    for (const l of lines) {
      if (l.role === 'user') last = l.content.slice(0, 200);
      out.push(last);
    }
    return out;
  }, [lines]);

  return (
    <div className="thread">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div ref={box} className="scroll" role="region" aria-label={w.thread} tabIndex={0}>
        {lines.length === 0 && talk.session && !owed && (
          <Empty icon={MessagesSquare} title={w.hello}>
            <p>{w.helloWhy}</p>
          </Empty>
        )}
        <div role="list" style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {rows.getVirtualItems().map((v) => {
            const l = lines[v.index];
            return (
              <div
                key={v.key}
                ref={rows.measureElement}
                data-index={v.index}
                role="listitem"
                aria-setsize={talk.more ? -1 : lines.length}
                aria-posinset={v.index + 1}
                className="utter"
                style={{ transform: `translateY(${v.start}px)` }}
              >
                {l ? (
                  <Said
                    line={l}
                    query={questions[v.index] ?? ''}
                    again={l.local === 'fallback' && talk.failed && v.index === lines.length - 1 ? again : null}
                  />
                ) : (
                  <Coming text={talk.partial} query={questions.at(-1) ?? ''} />
                )}
              </div>
            );
          })}
        </div>
      </div>
      {away && (
        <button type="button" className="btn small jump" onClick={() => rows.scrollToEnd()}>
          <ArrowDown size={13} aria-hidden />
          {w.toEnd}
        </button>
      )}
      <Heard lines={lines} />
    </div>
  );
}

// How tall an utterance will be: right enough that the scroll bar does not jump.
function guess(l: Line | undefined): number {
  if (!l) return 60;
  const rows = l.content.length / 90 + l.content.split('\n').length;
  return 56 + Math.min(400, rows) * 21 + (l.sources?.length ? 28 : 0);
}

/** Says an answer to who does not see it, once it is whole. */
function Heard({ lines }: { lines: Line[] }) {
  const w = useWords();
  const last = lines.at(-1);
  const id = last?.role === 'assistant' ? last.id : '';
  const before = useRef<string | null>(null);
  const [text, say] = useState('');
  useEffect(() => {
    if (lines.length === 0) return;
    // What was there when the page was opened is no news.
    if (before.current !== null && id && before.current !== id) say(`${w.answered} ${last?.content.slice(0, 200)}`);
    before.current = id;
  }, [id, lines.length, last, w]);
  return (
    <div className="sr" role="log" aria-live="polite">
      {text}
    </div>
  );
}
