import { HeartPulse, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useT } from '../../i18n/index.ts';
import { post } from '../../live/rest.ts';
import { store, useVersion } from '../../live/store.ts';
import type { Role } from '../../live/words.ts';
import { Empty } from '../../parts/Empty.tsx';
import { Fault } from '../../parts/Fault.tsx';
import { iconOf } from '../../parts/icons.ts';
import { Status } from '../../parts/Status.tsx';
import { brief } from '../../parts/time.ts';
import { useDeed } from '../../parts/useDeed.ts';

/** The start of the house in its three steps: the models, the roles, and what came of it. */
export function HealthPage() {
  const t = useT();
  useVersion('roles');
  const roles = [...store.roles.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const { busy, error, run } = useDeed(
    () => post('/roles/check'),
    () => {},
  );
  const looked = roles.filter((r) => r.modelValidation.checkedAt).length;
  const checking = roles.filter((r) => r.healthCheck.status === 'checking').length;
  const available = roles.filter((r) => r.available).length;
  if (roles.length === 0) {
    return (
      <main className="page" id="page">
        <Empty icon={HeartPulse} title={t.roles.empty} />
      </main>
    );
  }
  return (
    <main className="page stack" id="page">
      <div className="row">
        <p className="dim">{t.health.why}</p>
        <span className="sp" />
        <button type="button" className="btn" disabled={busy} onClick={run}>
          <RefreshCw size={14} aria-hidden />
          {t.health.again}
        </button>
      </div>
      {error !== null && <Fault error={error} />}
      <Step n={1} done={looked === roles.length} title={t.health.models} note={`${looked}/${roles.length}`}>
        {roles.map((r) => (
          <Line key={r.id} r={r}>
            <span className="mono dim one">{r.model || t.agent.driversOwn}</span>
            <span className="sp" />
            {r.modelValidation.status === 'invalid' && (
              <span className="one">
                {(r.modelValidation.availableModels ?? []).join(', ') || r.modelValidation.message}
              </span>
            )}
            <Status s={r.modelValidation.checkedAt ? r.modelValidation.status : 'queued'} />
          </Line>
        ))}
      </Step>
      <Step n={2} done={checking === 0} title={t.health.roles} note={`${roles.length - checking}/${roles.length}`}>
        {roles.map((r) => (
          <Line key={r.id} r={r}>
            <span className="one dim">{r.healthCheck.reason}</span>
            <span className="sp" />
            {r.healthCheck.responseTime_ms ? (
              <span className="num dim">{brief(r.healthCheck.responseTime_ms)}</span>
            ) : null}
            <Status s={r.healthCheck.status} />
          </Line>
        ))}
      </Step>
      <Step n={3} done={checking === 0} title={t.health.done} note="">
        <p className="check" role="status">
          {checking > 0 ? t.health.running(checking) : t.health.summary(roles.length, available)}
        </p>
      </Step>
    </main>
  );
}

function Step({
  n,
  done,
  title,
  note,
  children,
}: {
  n: number;
  done: boolean;
  title: string;
  note: string;
  children: ReactNode;
}) {
  return (
    <section className="panel">
      <header className="step" data-done={done}>
        <b className="num">{n}</b>
        <h2>{title}</h2>
        <span className="sp" />
        <span className="num dim">{note}</span>
      </header>
      {children}
    </section>
  );
}

function Line({ r, children }: { r: Role; children: ReactNode }) {
  const Icon = iconOf(r.id);
  return (
    <div className="check">
      <span className="with who">
        <Icon size={15} aria-hidden />
        <span className="one">{r.id}</span>
      </span>
      {children}
    </div>
  );
}
