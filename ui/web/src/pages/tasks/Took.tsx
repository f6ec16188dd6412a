import { BadgeDollarSign, RotateCw } from 'lucide-react';
import type { LedgerRow } from '../../live/words.ts';
import { money } from '../../parts/time.ts';
import { useWords } from './words.ts';

/** What a task has taken, as far as it is worth a word: attempts beyond the first, and money. */
export function Took({ row }: { row: LedgerRow | undefined }) {
  const w = useWords();
  return (
    <span className="with">
      {row && row.attempts > 1 && (
        <span className="tag with num" data-tone="warn" title={w.attempts(row.attempts)}>
          <RotateCw size={11} aria-hidden />
          {row.attempts}
          <span className="sr"> {w.attemptsName}</span>
        </span>
      )}
      {row && row.micros > 0 && (
        <span className="tag with num" title={w.spent}>
          <BadgeDollarSign size={11} aria-hidden />
          {money(row.micros)}
        </span>
      )}
    </span>
  );
}
