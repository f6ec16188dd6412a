import { Link } from '@tanstack/react-router';
import { useT } from '../i18n/index.ts';
import { store, useLive } from '../live/store.ts';
import { house, type Page, pages } from './pages.ts';

export const railId = 'rail';

/** Closes the rail where it is a drawer; elsewhere it is always there. */
export function closeRail(): void {
  const rail = document.getElementById(railId);
  if (rail?.matches(':popover-open')) rail.hidePopover();
}

/** The way around: the play above, the house below. */
export function Rail() {
  const t = useT();
  const status = useLive('status', () => store.status);
  const asked = useLive('approvals', () => store.approvals.length);
  const item = (p: Page) => (
    <li key={p.to}>
      <Link
        to={p.to}
        className="nav"
        activeOptions={{ exact: p.to === '/', includeSearch: false }}
        title={t.nav[p.name]}
        aria-label={p.to === '/approvals' && asked > 0 ? `${t.nav[p.name]} ${asked}` : t.nav[p.name]}
        onClick={closeRail}
      >
        <p.icon size={16} aria-hidden />
        <span className="label">{t.nav[p.name]} </span>
        {p.to === '/approvals' && asked > 0 ? (
          <span className="count num" data-tone="warn">
            {asked}
          </span>
        ) : (
          <kbd aria-hidden>g {p.key}</kbd>
        )}
      </Link>
    </li>
  );
  return (
    <nav className="rail" id={railId} popover="auto" aria-label={t.nav.label}>
      <div className="brand">
        <img src="/favicon.svg" alt="" width={26} height={26} />
        <span>Kurogo</span>
        <span>
          <small lang="ja">黒衣</small>
        </span>
      </div>
      <ul>{pages.map(item)}</ul>
      <div className="rule" />
      <ul>{house.map(item)}</ul>
      <div className="gap" />
      {status && (
        <footer>
          {status.rehearsal && <div className="tag">{t.rehearsal}</div>}
          <div className="mono">{status.version}</div>
        </footer>
      )}
    </nav>
  );
}
