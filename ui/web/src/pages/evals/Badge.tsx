import { CircleAlert, CircleCheck } from 'lucide-react';
import { passes, type Verdict, worstFirst } from './evaluation.ts';
import { figure } from './scale.ts';
import { useWords } from './words.ts';

/**
 * A verdict in a few characters: the score, whether it is good enough, and what is
 * worst; the rest is a number and, to whoever asks, words.
 */
export function Badge({ verdict, target, shown = 1 }: { verdict: Verdict; target: number; shown?: number }) {
  const w = useWords();
  const { score, rubric_scores: scores } = verdict;
  const pass = passes(verdict, target);
  const all = worstFirst(scores).map((c) => `${w.criteria[c]} ${figure(scores[c])}`);
  const Icon = pass ? CircleCheck : CircleAlert;
  return (
    <span className="verdict" title={all.join('\n')}>
      <span className="tag num" data-tone={pass ? 'good' : 'warn'}>
        <Icon size={12} aria-hidden />
        {figure(score)}
        <span className="sr">{pass ? w.pass : w.below}</span>
      </span>
      {all.slice(0, shown).map((text) => (
        <span key={text} className="tag num">
          {text}
        </span>
      ))}
      {all.length > shown && <span className="tag num">{w.more(all.length - shown)}</span>}
    </span>
  );
}
