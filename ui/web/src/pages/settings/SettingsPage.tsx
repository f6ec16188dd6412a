import { useQuery } from '@tanstack/react-query';
import { setLang, useLang, useT } from '../../i18n/index.ts';
import { get } from '../../live/rest.ts';
import { store, useLive } from '../../live/store.ts';
import { Moment } from '../../parts/Clock.tsx';
import { Copy } from '../../parts/Copy.tsx';
import { Fault } from '../../parts/Fault.tsx';
import { money, tokens } from '../../parts/time.ts';
import { Notices } from '../../shell/Notices.tsx';
import { setMotion, setTheme, useMotion, useTheme } from '../../shell/theme.ts';
import { Connections, Keys, Money, useSettings } from './parts.tsx';

interface Cost {
  rows: { key: string; turns: number; micros: number; input_tokens: number; output_tokens: number }[];
}

/** How this browser shows the house, how the house is, and what it has spent. */
export function SettingsPage() {
  const t = useT();
  const { data, error } = useSettings();
  return (
    <main className="page cols2" id="page">
      <div className="stack">
        <Look />
        {data && <Money b={data.budget} />}
        <section className="panel">
          <header>
            <h2>{t.settings.spent}</h2>
          </header>
          <Spent />
        </section>
      </div>
      <div className="stack">
        <House />
        {data ? <Connections all={data.connections} /> : !error && <p className="dim">{t.loading}</p>}
        {error && <Fault error={error} />}
      </div>
      {data && <Keys tables={data.tables} />}
    </main>
  );
}

function Look() {
  const t = useT();
  const lang = useLang();
  const theme = useTheme();
  const motion = useMotion();
  return (
    <section className="panel">
      <header>
        <h2>{t.settings.look}</h2>
      </header>
      <div className="in">
        <label className="switch">
          {t.settings.language}
          <select
            className="input"
            style={{ width: 'auto' }}
            value={lang}
            onChange={(e) => setLang(e.target.value as typeof lang)}
          >
            <option value="ja" lang="ja">
              日本語
            </option>
            <option value="en" lang="en">
              English
            </option>
          </select>
        </label>
        <label className="switch">
          {t.settings.theme}
          <select
            className="input"
            style={{ width: 'auto' }}
            value={theme}
            onChange={(e) => setTheme(e.target.value as typeof theme)}
          >
            <option value="dark">{t.dark}</option>
            <option value="light">{t.light}</option>
          </select>
        </label>
        <label className="switch">
          {t.settings.motion}
          <input type="checkbox" checked={motion} onChange={(e) => setMotion(e.target.checked)} />
        </label>
        <Notices />
      </div>
    </section>
  );
}

function House() {
  const t = useT();
  const s = useLive('status', () => store.status);
  return (
    <section className="panel">
      <header>
        <h2>{t.settings.house}</h2>
        {s?.rehearsal && <span className="tag">{t.rehearsal}</span>}
      </header>
      {s && (
        <dl className="in facts">
          <dt>{t.settings.version}</dt>
          <dd className="mono">{s.version}</dd>
          <dt>{t.settings.config}</dt>
          <dd>
            <code>{s.config}</code>
            <Copy text={s.config} what={t.path} />
          </dd>
          <dt>{t.settings.state}</dt>
          <dd>
            <code>{s.state_dir}</code>
            <Copy text={s.state_dir} what={t.path} />
          </dd>
          <dt>{t.settings.store}</dt>
          <dd className="mono">{s.store}</dd>
          <dt>{t.settings.http}</dt>
          <dd className="mono">{s.http || '–'}</dd>
          <dt>{t.settings.mcp}</dt>
          <dd className="mono">{s.http ? `http://${s.http}/mcp` : '–'}</dd>
          <dt>{t.settings.websocket}</dt>
          <dd className="mono">{s.mcp_websocket ? `ws://${s.mcp_websocket}/mcp` : '–'}</dd>
          <dt>pid</dt>
          <dd className="num">{s.pid}</dd>
          <dt>{t.settings.since}</dt>
          <dd>
            <Moment at={s.started_at} />
          </dd>
        </dl>
      )}
    </section>
  );
}

function Spent() {
  const t = useT();
  const { data } = useQuery({ queryKey: ['cost'], queryFn: ({ signal }) => get<Cost>('/cost?by=model', signal) });
  if (!data || data.rows.length === 0) return <p className="in dim">{t.settings.nothing}</p>;
  return (
    <div className="tablewrap">
      <table className="data">
        <thead>
          <tr>
            <th>{t.col.model}</th>
            <th className="end">{t.settings.turns}</th>
            <th className="end">{t.agent.tokens}</th>
            <th className="end">{t.agent.cost}</th>
          </tr>
        </thead>
        <tbody>
          {data.rows.map((r) => (
            <tr key={r.key}>
              <td>{r.key.trim()}</td>
              <td className="end num">{tokens(r.turns)}</td>
              <td className="end num">
                {tokens(r.input_tokens)} → {tokens(r.output_tokens)}
              </td>
              <td className="end num">{money(r.micros)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
