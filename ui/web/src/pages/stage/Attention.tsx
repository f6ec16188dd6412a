import { Link } from '@tanstack/react-router';
import { CircleAlert, HeartCrack, RotateCw } from 'lucide-react';
import { memo } from 'react';
import { useT } from '../../i18n/index.ts';
import { store, useVersion } from '../../live/store.ts';
import { hasFallen } from '../../live/words.ts';
import { useApprovals } from '../../parts/Approvals.tsx';
import { Asked } from '../approvals/Asked.tsx';

const most = 4; // of a kind; the rest is behind a link

/**
 * What waits for a person, the costliest first. Nothing is there when nothing is.
 * version says when the agents have changed, so that it is not drawn for each of them.
 */
export const Attention = memo(function Attention({ version: _ }: { version: number }) {
  const t = useT();
  useVersion('roles');
  useVersion('crew');
  const approvals = useApprovals();
  const fallen = [...store.agents.values()].filter(
    (a) => hasFallen(a) && store.groups.get(a.groupId)?.status !== 'deleted',
  );
  fallen.sort((a, b) => ((a.endedAt ?? '') < (b.endedAt ?? '') ? 1 : -1));
  const roles = [...store.roles.values()].filter((r) => !r.available);
  const down = [...store.crew.values()].filter((m) => m.state === 'backoff');
  if (approvals.length + fallen.length + roles.length + down.length === 0) return null;
  return (
    <section className="attention" aria-label={t.stage.attention}>
      <h2>{t.stage.attention}</h2>
      <ul>
        <Asked approvals={approvals} most={most} />
        {roles.slice(0, most).map((r) => (
          <li key={r.id}>
            <Link to="/roles" search={{ role: r.id }} className="alert" data-tone="bad" data-item>
              <HeartCrack size={15} aria-hidden />
              <b>{t.stage.roleDown(r.name || r.id)}</b>
              <span className="one">{r.healthCheck.reason || r.modelValidation.message}</span>
            </Link>
          </li>
        ))}
        {down.map((m) => (
          <li key={m.name}>
            <Link to="/actors" className="alert" data-tone="warn" data-item>
              <RotateCw size={15} aria-hidden />
              <b>{t.stage.rises(m.title)}</b>
              <span className="one">{m.last_error}</span>
            </Link>
          </li>
        ))}
        {fallen.slice(0, most).map((a) => (
          <li key={a.agentId}>
            <Link
              to="/agents/$id"
              params={{ id: a.agentId }}
              search={{ tab: 'result' }}
              className="alert"
              data-tone={a.outcome === 'timed_out' ? 'warn' : 'bad'}
              data-item
            >
              <CircleAlert size={15} aria-hidden />
              <b>
                {a.role} · {t.state[a.outcome ?? a.status]}
              </b>
              <span className="one">{a.run.error || a.agentId}</span>
            </Link>
          </li>
        ))}
        {fallen.length > most && (
          <li>
            <Link to="/" search={{ status: 'fallen' }} className="alert more">
              {t.more(fallen.length - most)}
            </Link>
          </li>
        )}
      </ul>
    </section>
  );
});
