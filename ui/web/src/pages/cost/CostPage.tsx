import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BadgeDollarSign } from 'lucide-react';
import { useMemo } from 'react';
import { useT } from '../../i18n/index.ts';
import { get } from '../../live/rest.ts';
import { store, useVersion } from '../../live/store.ts';
import { Approvals, isMoney, useApprovals } from '../../parts/Approvals.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Fault } from '../../parts/Fault.tsx';
import { money, tokens } from '../../parts/time.ts';
import { costRoute } from '../../router.tsx';
import { useFresh } from '../runs/useFresh.ts';
import { Money, useSettings } from '../settings/parts.tsx';
import { amount, type By, type CostRow, kinds, type Measure, measureOf, sum } from './bill.ts';
import { Days } from './Days.tsx';
import { useWords } from './words.ts';
import '../../styles/evals.css';
import '../../styles/runs.css';

// useBill is what was spent, read by one thing. It is another when a turn has been
// settled, and turns end agents and tasks.
function useBill(by: By) {
  const key = ['cost', by];
  useFresh(key, 'tasks');
  useFresh(key, 'ended');
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => get<{ rows: CostRow[] | null }>(`/cost?by=${by}`, signal),
    select: (d) => d.rows ?? [],
    placeholderData: (old) => old,
  });
}

/** What was spent, on what, what may be, and what waits because it may not. */
export function CostPage() {
  const t = useT();
  const w = useWords();
  const said = costRoute.useSearch().by;
  const navigate = costRoute.useNavigate();
  const by = kinds.find((k) => k === said) ?? 'day';
  const bill = useBill(by);
  const daily = useBill('day');
  const settings = useSettings();
  const parked = useApprovals().some(isMoney);
  const rows = bill.data;
  const measure = measureOf(daily.data ?? []);
  const error = bill.error ?? daily.error ?? settings.error;
  return (
    <main className="page" id="page">
      <div className="two">
        <div className="stack">
          <div className="row" role="group" aria-label={w.choose}>
            {kinds.map((k) => (
              <button
                key={k}
                type="button"
                className="chip"
                aria-pressed={by === k}
                onClick={() => void navigate({ search: k === 'day' ? {} : { by: k }, replace: true })}
              >
                {w.by[k]}
              </button>
            ))}
          </div>
          {error && <Fault error={error} />}
          {daily.data && (
            <Days rows={daily.data} measure={measure} limit={settings.data?.budget.day_limit_micros ?? 0} />
          )}
          {!rows ? (
            !error && <p className="dim">{t.loading}</p>
          ) : rows.length === 0 ? (
            <Empty icon={BadgeDollarSign} title={w.nothing} />
          ) : (
            <Bill rows={rows} by={by} measure={measure} />
          )}
        </div>
        <aside className="stack">
          {settings.data && <Money b={settings.data.budget} />}
          {parked ? (
            <Approvals />
          ) : (
            <section className="panel">
              <header>
                <h2>{w.parked}</h2>
              </header>
              <p className="in dim">{w.notParked}</p>
            </section>
          )}
        </aside>
      </div>
    </main>
  );
}

function Bill({ rows, by, measure }: { rows: CostRow[]; by: By; measure: Measure }) {
  const t = useT();
  const w = useWords();
  const all = useMemo(() => sum(rows), [rows]);
  const whole = amount(all, measure);
  const shown = useMemo(() => {
    const order = (a: CostRow, b: CostRow) =>
      by === 'day' ? (a.key < b.key ? 1 : -1) : amount(b, measure) - amount(a, measure);
    return rows.toSorted(order);
  }, [rows, by, measure]);
  return (
    <section className="panel" aria-label={w.choose}>
      {measure === 'tokens' && <p className="in dim">{w.unpaid}</p>}
      <div className="tablewrap">
        <table className="data bill">
          <thead>
            <tr>
              <th>{w.by[by]}</th>
              <th className="end">{w.turns}</th>
              <th className="end">{w.tokens}</th>
              <th>{w.share}</th>
              <th className="end">{t.agent.cost}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((r) => (
              <tr key={r.key}>
                <td>
                  <Key by={by} value={r.key} />
                </td>
                <td className="end num">{tokens(r.turns)}</td>
                <td className="end num" title={w.cached(tokens(r.cached_tokens))}>
                  {tokens(r.input_tokens)} → {tokens(r.output_tokens)}
                </td>
                <td>
                  <span className="track" aria-hidden>
                    <i style={{ width: `${whole > 0 ? (amount(r, measure) / whole) * 100 : 0}%` }} />
                  </span>
                </td>
                <td className="end num">{money(r.micros)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{w.total}</th>
              <td className="end num">{tokens(all.turns)}</td>
              <td className="end num">
                {tokens(all.input_tokens)} → {tokens(all.output_tokens)}
              </td>
              <td />
              <td className="end num">{money(all.micros)}</td>
            </tr>
          </tfoot>
        </table>
      </div>
    </section>
  );
}

/** What a line is about, with the way to it where there is one. */
function Key({ by, value }: { by: By; value: string }) {
  const w = useWords();
  useVersion('groups');
  const key = value.trim();
  if (!key) return <span className="faint">{w.none}</span>;
  switch (by) {
    case 'task': {
      const task = store.tasks.get(key);
      return (
        <Link className="link what" to="/tasks/$id" params={{ id: key }} data-item>
          <span className="one">{task?.content ?? key}</span>
        </Link>
      );
    }
    case 'role':
      return store.roles.has(key) ? (
        <Link className="link" to="/roles" search={{ role: key }} data-item>
          {key}
        </Link>
      ) : (
        key
      );
    case 'group':
      return store.groups.has(key) ? (
        <Link className="link what" to="/groups/$id" params={{ id: key }} data-item>
          <span className="one">{store.groups.get(key)?.description || key}</span>
        </Link>
      ) : (
        <span className="mono">{key}</span>
      );
    default:
      return <span className="num">{key}</span>;
  }
}
