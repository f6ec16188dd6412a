import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, Download, History } from 'lucide-react';
import { type ReactNode, useMemo, useRef } from 'react';
import { useT } from '../../i18n/index.ts';
import { store, useLive, useVersion } from '../../live/store.ts';
import { type Agent, type AgentStatus, isFinal } from '../../live/words.ts';
import { Moment } from '../../parts/Clock.tsx';
import { Command } from '../../parts/Copy.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Find } from '../../parts/Find.tsx';
import { Status, toneOf } from '../../parts/Status.tsx';
import { save } from '../../parts/save.ts';
import { brief } from '../../parts/time.ts';
import { historyRoute } from '../../router.tsx';
import { fileCount } from '../agent/Files.tsx';
import { durationOf, lines, past } from './past.ts';

const outcomes: AgentStatus[] = ['completed', 'failed', 'timed_out', 'cancelled', 'lost'];

/** What was run and what came of it. */
export function HistoryPage() {
  const t = useT();
  const w = historyRoute.useSearch();
  const navigate = historyRoute.useNavigate();
  const loaded = useLive('loaded', () => store.loaded);
  const agents = useVersion('agents');
  const groups = useVersion('groups');
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the versions say that the store has changed
  const { rows, found } = useMemo(
    () =>
      past(
        [...store.agents.values()].filter((a) => isFinal(a.status)),
        store.groups,
        w,
      ),
    [agents, groups, loaded, w],
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => 44,
    getItemKey: (i) => rows[i]?.key ?? i,
    overscan: 8,
  });
  const set = (change: Partial<typeof w>) => void navigate({ search: (old) => ({ ...old, ...change }), replace: true });
  const sorted = w.sort ?? '-when';
  const header = (key: string, name: ReactNode, end = false) => {
    const on = sorted.replace('-', '') === key;
    return (
      <button
        type="button"
        className={end ? 'end' : undefined}
        onClick={() => set({ sort: on && sorted.startsWith('-') ? key : `-${key}` })}
      >
        {name}
        {on &&
          (sorted.startsWith('-') ? (
            <ArrowDown size={11} aria-label={t.history.down} />
          ) : (
            <ArrowUp size={11} aria-label={t.history.up} />
          ))}
      </button>
    );
  };
  const pick = (key: 'group' | 'status' | 'role' | 'by', label: string, options: [string, string][]) => (
    <select
      className="input"
      style={{ width: 'auto', maxWidth: 210 }}
      aria-label={label}
      value={w[key] ?? ''}
      onChange={(e) => set({ [key]: e.target.value })}
    >
      <option value="">{label}</option>
      {options.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
  return (
    <main className="page flush" id="page">
      <div className="filters">
        {pick(
          'group',
          t.history.anyGroup,
          [...store.groups.values()].map((g) => [g.groupId, g.description || g.groupId]),
        )}
        {pick(
          'status',
          t.history.anyStatus,
          outcomes.map((s) => [s, t.state[s]]),
        )}
        {pick(
          'role',
          t.history.anyRole,
          [...new Set([...store.agents.values()].map((a) => a.role))].sort().map((r) => [r, r]),
        )}
        {pick('by', t.history.noHeaps, [
          ['group', t.history.byGroup],
          ['role', t.history.byRole],
          ['status', t.history.byStatus],
        ])}
        <span className="sp" />
        <span className="num dim">{t.agents(found.length)}</span>
        <Find label={t.history.find} value={w.q ?? ''} say={(q) => set({ q })} />
        <button
          type="button"
          className="btn"
          disabled={found.length === 0}
          onClick={() => save('kurogo-history.jsonl', lines(found, store.groups), 'application/x-ndjson')}
        >
          <Download size={14} aria-hidden />
          JSONL
        </button>
      </div>
      {loaded && rows.length === 0 ? (
        <Empty icon={History} title={w.group || w.status || w.role || w.q ? t.stage.noMatch : t.history.empty}>
          {!(w.group || w.status || w.role || w.q) && <Command text={'kurogo agent run --role impl-code "…" --wait'} />}
        </Empty>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className="htable" ref={box} tabIndex={0} aria-label={t.nav.history}>
          <div className="hrow columns">
            {header('status', t.col.status)}
            {header('role', t.col.role)}
            <span>{t.col.id}</span>
            <span>{t.col.group}</span>
            <span>{t.history.summary}</span>
            {header('duration', t.col.elapsed, true)}
            {header('tools', t.col.tools, true)}
            <span className="end">{t.agent.files}</span>
            {header('when', t.history.when, true)}
          </div>
          <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
            {virtual.getVirtualItems().map((item) => {
              const row = rows[item.index];
              return (
                row && (
                  <div
                    key={item.key}
                    className="vrow"
                    style={{ height: item.size, transform: `translateY(${item.start}px)` }}
                  >
                    {row.kind === 'head' ? (
                      <h2 className="hgroup">
                        {row.name in t.state ? t.state[row.name as AgentStatus] : row.name}
                        <span className="num faint small">{t.agents(row.n)}</span>
                      </h2>
                    ) : (
                      <Past a={row.a} />
                    )}
                  </div>
                )
              );
            })}
          </div>
        </section>
      )}
    </main>
  );
}

function Past({ a }: { a: Agent }) {
  const group = store.groups.get(a.groupId);
  return (
    <Link
      to="/agents/$id"
      params={{ id: a.agentId }}
      search={{ tab: 'result' }}
      className="hrow"
      data-tone={toneOf(a.outcome ?? a.status)}
      data-item
    >
      <Status s={a.status} />
      <span className="one">{a.role}</span>
      <span className="mono one faint">{a.agentId}</span>
      <span className="one dim">{group?.description || a.groupId}</span>
      <span className="one">{a.run.error || a.run.lastAssistantMessage}</span>
      <span className="num end">{brief(durationOf(a))}</span>
      <span className="num end">{a.run.toolCallCount}</span>
      <span className="num end">{fileCount(a.run)}</span>
      <span className="end dim">
        <Moment at={a.endedAt} />
      </span>
    </Link>
  );
}
