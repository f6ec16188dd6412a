import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useT } from '../../i18n/index.ts';
import { Elapsed } from '../../parts/Clock.tsx';
import { Diff } from '../../parts/Diff.tsx';
import { brief } from '../../parts/time.ts';
import { StepMark, toneOfStep } from './StepMark.tsx';
import type { Proof, Step } from './trace.ts';
import { useWords } from './words.ts';

/** The steps in the order in which they are done; one of them open. */
export function Steps({
  steps,
  chosen,
  choose,
  over,
}: {
  steps: Step[];
  chosen: string;
  choose: (id: string) => void;
  over: boolean;
}) {
  return (
    <ol className="panel steps">
      {steps.map((s, i) => (
        <li key={s.id} data-tone={toneOfStep(s.state)}>
          <One s={s} n={i + 1} open={chosen === s.id} choose={choose} over={over} />
        </li>
      ))}
    </ol>
  );
}

function One({
  s,
  n,
  open,
  choose,
  over,
}: {
  s: Step;
  n: number;
  open: boolean;
  choose: (id: string) => void;
  over: boolean;
}) {
  const ref = useRef<HTMLElement>(null);
  const was = useRef(open);
  useEffect(() => {
    if (open && !was.current) ref.current?.scrollIntoView({ block: 'nearest' }); // it was chosen in the picture
    was.current = open;
  }, [open]);
  return (
    <details
      open={open}
      onToggle={(e) => {
        if (e.currentTarget.open !== open) choose(open ? '' : s.id);
      }}
    >
      {/* the address says which is open, so that it can be sent on */}
      <summary data-item ref={ref}>
        <ChevronRight size={14} className="turn" aria-hidden />
        <span className="num faint">{n}</span>
        <b className="one">{s.title || s.id}</b>
        <span className="sp" />
        <span className="small dim">{s.from && (s.to || !over) && <Elapsed from={s.from} to={s.to} />}</span>
        <StepMark s={s} />
      </summary>
      {open && <Inside s={s} />}
    </details>
  );
}

function Inside({ s }: { s: Step }) {
  const t = useT();
  const w = useWords();
  return (
    <div className="in stack">
      {s.error && (
        <p className="notice text" data-tone={toneOfStep(s.state)}>
          {s.error}
        </p>
      )}
      <dl className="facts">
        <dt>{t.col.id}</dt>
        <dd className="mono">{s.id}</dd>
        {(s.needs ?? []).length > 0 && (
          <>
            <dt>{w.needs}</dt>
            <dd className="mono">{s.needs?.join(', ')}</dd>
          </>
        )}
        <dt>{w.instructions}</dt>
        <dd className="text">{s.instructions}</dd>
        {s.acceptance && (
          <>
            <dt>{w.acceptance}</dt>
            <dd className="text">{s.acceptance}</dd>
          </>
        )}
        {(s.files ?? []).length > 0 && (
          <>
            <dt>{w.files}</dt>
            <dd className="mono">{s.files?.join(', ')}</dd>
          </>
        )}
        {(s.verify ?? []).length > 0 && (
          <>
            <dt>{w.commands}</dt>
            <dd>
              {s.verify?.map((argv) => (
                <code key={argv.join('\0')}>{argv.join(' ')}</code>
              ))}
            </dd>
          </>
        )}
        {s.agents.length > 0 && (
          <>
            <dt>{w.agents}</dt>
            <dd>
              {s.agents.map((id) => (
                <Link key={id} className="link mono" to="/agents/$id" params={{ id }}>
                  {id}
                </Link>
              ))}
            </dd>
          </>
        )}
      </dl>
      {s.text && (
        <section>
          <h3>{w.said}</h3>
          <p className="text dim">{s.text}</p>
        </section>
      )}
      {s.proofs.length > 0 && (
        <section className="stack">
          <h3>{w.proofs}</h3>
          {s.proofs.map((p, i) => (
            <Said key={i} p={p} />
          ))}
        </section>
      )}
      {s.diff?.diff && <Diff text={s.diff.diff} label={w.stepChanged(s.id)} />}
    </div>
  );
}

/** One proof: the command, how it ended and what it printed. */
function Said({ p }: { p: Proof }) {
  const w = useWords();
  const passed = p.exit === 0 && !p.error;
  return (
    <figure className="proof" data-tone={passed ? 'good' : 'bad'}>
      <figcaption className="row">
        <code>{p.command.join(' ')}</code>
        <span className="tag" data-tone={passed ? 'good' : 'bad'}>
          {passed ? w.passed : `${w.notPassed}${p.error ? '' : ` (${p.exit})`}`}
        </span>
        <span className="tag num">{brief(p.duration_ms)}</span>
        {p.attempt > 1 && <span className="tag num">{w.attempt(p.attempt)}</span>}
        {p.sandbox === 'none' && <span className="tag">{w.unboxed}</span>}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>{p.error || p.output || w.silent}</pre>
    </figure>
  );
}
