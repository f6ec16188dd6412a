import { Link } from '@tanstack/react-router';
import { ChevronRight, Pencil, RefreshCw, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../i18n/index.ts';
import { post } from '../../live/rest.ts';
import { store, useLive, useVersion } from '../../live/store.ts';
import type { Role } from '../../live/words.ts';
import { Moment } from '../../parts/Clock.tsx';
import { Command, Copy } from '../../parts/Copy.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Fault } from '../../parts/Fault.tsx';
import { iconOf } from '../../parts/icons.ts';
import { RunAgent } from '../../parts/RunAgent.tsx';
import { Status } from '../../parts/Status.tsx';
import { brief } from '../../parts/time.ts';
import { useDeed } from '../../parts/useDeed.ts';
import { rolesRoute } from '../../router.tsx';
import { Custom } from './Custom.tsx';
import { EditRole } from './EditRole.tsx';
import { useWords } from './words.ts';

/** What an agent can be, and whether it can be that now. */
export function RolesPage() {
  const t = useT();
  const { role } = rolesRoute.useSearch();
  const loaded = useLive('loaded', () => store.loaded);
  useVersion('roles');
  const roles = [...store.roles.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const { busy, error, run } = useDeed(
    () => post('/roles/check'),
    () => {},
  );
  return (
    <main className="page stack" id="page">
      <div className="row">
        <p className="dim">{t.roles.why}</p>
        <span className="sp" />
        <Link to="/health" className="btn">
          {t.nav.health}
        </Link>
        <button type="button" className="btn" disabled={busy} onClick={run}>
          <RefreshCw size={14} aria-hidden />
          {t.roles.checkAll}
        </button>
      </div>
      {error !== null && <Fault error={error} />}
      {roles.length > 0 ? (
        <div className="panel list">
          {roles.map((r) => (
            <One key={r.id} r={r} open={r.id === role} />
          ))}
        </div>
      ) : (
        loaded && (
          <Empty icon={UsersRound} title={t.roles.empty}>
            <Command text="kurogo init" />
          </Empty>
        )
      )}
    </main>
  );
}

function One({ r, open }: { r: Role; open: boolean }) {
  const t = useT();
  const w = useWords();
  const [running, setRunning] = useState(false);
  const [editing, edit] = useState(false);
  const [saved, setSaved] = useState(false);
  const { busy, error, run } = useDeed(
    () => post(`/roles/${encodeURIComponent(r.id)}/check`),
    () => {},
  );
  const Icon = iconOf(r.id);
  const models = r.modelValidation.availableModels ?? [];
  return (
    <details className="role" open={open}>
      <summary data-item>
        <ChevronRight size={14} className="turn" aria-hidden />
        <Icon size={16} aria-hidden />
        <b>{r.name || r.id}</b>
        <code className="faint">{r.id}</code>
        <span className="tag">{r.driver}</span>
        <span className="dim">{r.model || t.agent.driversOwn}</span>
        {r.hidden && <span className="tag">{w.jobs}</span>}
        <span className="sp" />
        {!r.available && (
          <span className="tag" data-tone="bad">
            {t.roles.unavailable}
          </span>
        )}
        <Status s={r.healthCheck.status} />
      </summary>
      <div className="in stack">
        <dl className="facts">
          <dt>{t.roles.health}</dt>
          <dd>
            <Status s={r.healthCheck.status} />
            {r.healthCheck.responseTime_ms ? (
              <span className="num dim">{brief(r.healthCheck.responseTime_ms)}</span>
            ) : null}
            {r.healthCheck.reason && <span>{r.healthCheck.reason}</span>}
            {r.healthCheck.checkedAt && (
              <span className="faint">
                <Moment at={r.healthCheck.checkedAt} />
              </span>
            )}
          </dd>
          <dt>{t.col.model}</dt>
          <dd>
            <Status s={r.modelValidation.status} />
            {r.modelValidation.message && <span>{r.modelValidation.message}</span>}
          </dd>
          {models.length > 0 && (
            <>
              <dt>{t.roles.models}</dt>
              <dd>
                {models.map((m) => (
                  <span key={m} className="tag">
                    {m}
                    {m === r.model ? ` · ${t.roles.chosen}` : ''}
                  </span>
                ))}
              </dd>
            </>
          )}
          <dt>{t.agent.isolation}</dt>
          <dd>{r.isolation === 'worktree' ? t.agent.worktree : t.agent.noIsolation}</dd>
          {(r.tools ?? []).length > 0 && (
            <>
              <dt>{t.agent.tools}</dt>
              <dd>
                {(r.tools ?? []).map((x) => (
                  <code key={x}>{x}</code>
                ))}
              </dd>
            </>
          )}
          {r.healthCheckPrompt && (
            <>
              <dt>{t.roles.healthPrompt}</dt>
              <dd>
                <code>{r.healthCheckPrompt}</code>
              </dd>
            </>
          )}
        </dl>
        {r.systemPrompt && (
          <div>
            <div className="with">
              <h2>{t.roles.prompt}</h2>
              <Copy text={r.systemPrompt} what={t.roles.prompt} />
            </div>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
            <pre className="text" tabIndex={0} role="region" aria-label={t.roles.prompt}>
              {r.systemPrompt}
            </pre>
          </div>
        )}
        {error !== null && <Fault error={error} />}
        <div className="row">
          <button type="button" className="btn" disabled={busy} onClick={run}>
            <RefreshCw size={14} aria-hidden />
            {t.roles.check}
          </button>
          <button type="button" className="btn" disabled={!r.available} onClick={() => setRunning(true)}>
            {t.run.verb}
          </button>
          <button type="button" className="btn" aria-expanded={editing} onClick={() => edit(!editing)}>
            <Pencil size={14} aria-hidden />
            {w.edit}
          </button>
          {!r.hidden && <Custom r={r} />}
        </div>
        {saved && (
          <p className="notice" role="status">
            {w.saved}
          </p>
        )}
        {editing && (
          <EditRole
            r={r}
            onClose={(done) => {
              edit(false);
              setSaved(done);
            }}
          />
        )}
      </div>
      {running && <RunAgent role={r.id} onClose={() => setRunning(false)} />}
    </details>
  );
}
