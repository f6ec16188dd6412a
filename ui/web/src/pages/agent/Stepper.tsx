import { useT } from '../../i18n/index.ts';
import { type Agent, type AgentStatus, isFinal, outcomeOf } from '../../live/words.ts';
import { Elapsed, Moment } from '../../parts/Clock.tsx';
import { Status, toneOf } from '../../parts/Status.tsx';

interface Step {
  state: AgentStatus;
  at: string | undefined;
  spent?: [from: string | undefined, to: string | undefined];
  reached: boolean;
  here: boolean;
}

/** Where an agent stands between being asked for and having reported. */
export function Stepper({ a }: { a: Agent }) {
  const t = useT();
  const over = isFinal(a.status);
  const steps: Step[] = [
    {
      state: 'queued',
      at: a.queuedAt,
      spent: [a.queuedAt, a.startedAt ?? a.endedAt],
      reached: true,
      here: a.status === 'queued',
    },
    {
      state: 'running',
      at: a.startedAt,
      ...(a.startedAt ? { spent: [a.startedAt, a.endedAt] as [string, string | undefined] } : {}),
      reached: a.startedAt !== undefined,
      here: a.status === 'running',
    },
    {
      state: over ? outcomeOf(a) : 'completed',
      at: a.endedAt,
      reached: over,
      here: over && a.status !== 'result_reported',
    },
    {
      state: 'result_reported',
      at: undefined,
      reached: a.status === 'result_reported',
      here: a.status === 'result_reported',
    },
  ];
  return (
    <ol className="stepper" aria-label={t.agent.steps}>
      {steps.map((s) => (
        <li
          key={s.state}
          data-tone={s.reached ? toneOf(s.state) : undefined}
          data-reached={s.reached}
          aria-current={s.here ? 'step' : undefined}
        >
          {s.reached ? (
            <Status s={s.state} size={15} still={!s.here} />
          ) : (
            <span className="st faint">{t.state[s.state]}</span>
          )}
          <span className="faint small">
            {s.reached && s.at ? <Moment at={s.at} /> : '–'}
            {s.reached && s.spent && (
              <>
                {' · '}
                <Elapsed from={s.spent[0]} to={s.spent[1]} />
              </>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}
