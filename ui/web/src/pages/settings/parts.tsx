import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../live/rest.ts';
import { useVersion } from '../../live/store.ts';
import { Moment } from '../../parts/Clock.tsx';
import { money } from '../../parts/time.ts';
import { useWords } from './words.ts';

interface Settings {
  path: string;
  tables: { name: string; keys: { key: string; value: string; default: string }[] }[];
  budget: { day_limit_micros: number; day_spent_micros: number; task_limit_micros: number; turn_limit_micros: number };
  connections: { kind: string; from: string; since: string }[];
}

/** useSettings is what holds in this house. Several parts of a page ask once. */
export function useSettings() {
  const changed = useVersion('roles');
  return useQuery({
    queryKey: ['settings', changed],
    queryFn: ({ signal }) => get<Settings>('/settings', signal),
    refetchInterval: 5_000, // who comes and goes is no event of the journal
    placeholderData: (old) => old,
  });
}

/** What may be spent, and what was. */
export function Money({ b }: { b: Settings['budget'] }) {
  const w = useWords();
  const limit = (micros: number) => (micros > 0 ? money(micros) : w.noLimit);
  return (
    <section className="panel">
      <header>
        <h2>{w.budget}</h2>
      </header>
      <div className="in stack">
        <dl className="facts">
          <dt>{w.day}</dt>
          <dd className="num">
            {money(b.day_spent_micros)} / {limit(b.day_limit_micros)}
          </dd>
          <dt>{w.task}</dt>
          <dd className="num">{limit(b.task_limit_micros)}</dd>
          <dt>{w.turn}</dt>
          <dd className="num">{money(b.turn_limit_micros)}</dd>
        </dl>
        {b.day_limit_micros > 0 && (
          <progress
            aria-label={w.day}
            max={b.day_limit_micros}
            value={Math.min(b.day_spent_micros, b.day_limit_micros)}
          />
        )}
      </div>
    </section>
  );
}

/** Who is connected now. */
export function Connections({ all }: { all: Settings['connections'] }) {
  const w = useWords();
  const lasting = all.filter((c) => c.kind !== 'http');
  return (
    <section className="panel">
      <header>
        <h2>{w.connections}</h2>
        <span className="num dim">{lasting.length}</span>
      </header>
      {lasting.length === 0 ? (
        <p className="in dim">{w.nobody}</p>
      ) : (
        <div className="tablewrap">
          <table className="data">
            <thead>
              <tr>
                <th>{w.kind}</th>
                <th>{w.from}</th>
                <th>{w.since}</th>
              </tr>
            </thead>
            <tbody>
              {lasting.map((c, i) => (
                <tr key={c.from + i}>
                  <td>{w.kinds[c.kind as keyof typeof w.kinds] ?? c.kind}</td>
                  <td className="mono">{c.from}</td>
                  <td>
                    <Moment at={c.since.startsWith('0001') ? null : c.since} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** Every key of the configuration, as it holds and as it would be. */
export function Keys({ tables }: { tables: Settings['tables'] }) {
  const w = useWords();
  const [only, setOnly] = useState(false);
  const shown = tables
    .map((x) => ({ ...x, keys: only ? x.keys.filter((k) => k.value !== k.default) : x.keys }))
    .filter((x) => x.keys.length > 0);
  return (
    <section className="panel settings wide2">
      <header>
        <h2>{w.config}</h2>
        <span className="sp" />
        <label className="with small">
          <input type="checkbox" checked={only} onChange={(e) => setOnly(e.target.checked)} />
          {w.only}
        </label>
      </header>
      <p className="in dim">{w.why}</p>
      <div className="tablewrap">
        <table className="data">
          <thead>
            <tr>
              <th>{w.key}</th>
              <th>{w.value}</th>
              <th>{w.usual}</th>
            </tr>
          </thead>
          {shown.map((x) => (
            <tbody key={x.name}>
              <tr>
                <th colSpan={3} scope="rowgroup" className="mono">
                  {x.name ? `[${x.name}]` : w.general}
                </th>
              </tr>
              {x.keys.map((k) => (
                <tr key={k.key}>
                  <th scope="row" className="mono">
                    {k.key}
                  </th>
                  <td className={k.value === k.default ? 'mono' : 'mono changed'}>
                    {k.value || <span className="faint">{w.empty}</span>}
                    {k.value !== k.default && <span className="tag">{w.differs}</span>}
                  </td>
                  <td className="mono dim">{k.default || <span className="faint">{w.empty}</span>}</td>
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
    </section>
  );
}
