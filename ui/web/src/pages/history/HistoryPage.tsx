import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, Download, History } from 'lucide-react';
import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useT } from '../../i18n/index.ts';
import { get } from '../../live/rest.ts';
import { useVersion } from '../../live/store.ts';
import type { Agent, AgentStatus, Group, Past } from '../../live/words.ts';
import { Moment } from '../../parts/Clock.tsx';
import { Command } from '../../parts/Copy.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Fault } from '../../parts/Fault.tsx';
import { Find } from '../../parts/Find.tsx';
import { Rows } from '../../parts/Rows.tsx';
import { Status, toneOf } from '../../parts/Status.tsx';
import { save } from '../../parts/save.ts';
import { brief } from '../../parts/time.ts';
import { historyRoute } from '../../router.tsx';
import { csv, durationOf, everything, heaps, joined, json, pathOf, type Wanted } from './past.ts';
import { useWords } from './words.ts';

const outcomes: AgentStatus[] = ['completed', 'failed', 'timed_out', 'cancelled', 'lost'];

/** What was run and what came of it: the whole journal, a page at a time. */
export function HistoryPage() {
  const t = useT();
  const words = useWords();
  const w = historyRoute.useSearch();
  const navigate = historyRoute.useNavigate();
  const box = useRef<HTMLDivElement>(null);
  const queries = useQueryClient();
  const find = useDeferredValue(w.q);
  const wanted: Wanted = { ...w, ...(find === undefined ? {} : { q: find }) };
  const { data, error, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['history', w.group, w.role, w.status, find, w.by ?? w.sort],
    initialPageParam: { offset: 0, until: 0 },
    queryFn: ({ pageParam, signal }) => get<Past>(pathOf(wanted, pageParam.offset, pageParam.until), signal),
    getNextPageParam: (last, pages) => {
      const offset = pages.reduce((n, p) => n + p.agents.length, 0);
      return last.agents.length > 0 && offset < last.total ? { offset, until: last.until } : undefined;
    },
    placeholderData: (old) => old,
  });
  const groups = useQuery({
    queryKey: ['groups', 'all'],
    queryFn: ({ signal }) => get<{ groups: Group[] }>('/groups?deleted=true&limit=500', signal),
  });
  const whole = useMemo(() => joined(data?.pages ?? []), [data]);
  const rows = useMemo(() => heaps(whole.agents, whole.groups, w.by), [whole, w.by]);
  // Whoever has ended since belongs at the top: the first page is read again, unless somebody has turned further.
  const ended = useVersion('ended');
  const pages = data?.pages.length ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: ended says that there is news
  useEffect(() => {
    if (ended === 0 || pages > 1) return;
    const timer = setTimeout(() => void queries.invalidateQueries({ queryKey: ['history'] }), 500);
    return () => clearTimeout(timer);
  }, [ended, queries]);
  const [taking, setTaking] = useState('');
  const [fault, setFault] = useState<unknown>(null);
  const take = (name: string, kind: string, make: typeof csv) => {
    setFault(null);
    setTaking('…');
    everything(wanted, (n, of) => setTaking(words.exporting(n, of)))
      .then((all) => save(name, make(all.agents, all.groups), kind))
      .catch(setFault)
      .finally(() => setTaking(''));
  };
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
          (groups.data?.groups ?? []).map((g) => [
            g.groupId,
            `${g.description || g.groupId}${g.status === 'deleted' ? ` (${words.deleted})` : ''}`,
          ]),
        )}
        {pick(
          'status',
          t.history.anyStatus,
          outcomes.map((s) => [s, t.state[s]]),
        )}
        {pick(
          'role',
          t.history.anyRole,
          (data?.pages[0]?.roles ?? []).map((r) => [r, r]),
        )}
        {pick('by', t.history.noHeaps, [
          ['group', t.history.byGroup],
          ['role', t.history.byRole],
          ['status', t.history.byStatus],
        ])}
        <span className="sp" />
        <span className="num dim" role="status">
          {taking || t.agents(whole.total)}
        </span>
        <Find label={t.history.find} value={w.q ?? ''} say={(q) => set({ q })} />
        <button
          type="button"
          className="btn"
          disabled={whole.total === 0 || taking !== ''}
          onClick={() => take('kurogo-history.csv', 'text/csv', csv)}
        >
          <Download size={14} aria-hidden />
          CSV
        </button>
        <button
          type="button"
          className="btn"
          disabled={whole.total === 0 || taking !== ''}
          onClick={() => take('kurogo-history.json', 'application/json', json)}
        >
          <Download size={14} aria-hidden />
          JSON
        </button>
      </div>
      {(error ?? fault) !== null && <Fault error={error ?? fault} />}
      {!data ? (
        error === null && <p className="in dim">{t.loading}</p>
      ) : rows.length === 0 ? (
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
          <Rows virtual={virtual}>
            {(i) => {
              const row = rows[i];
              return (
                row &&
                (row.kind === 'head' ? (
                  <h2 className="hgroup">
                    {row.name in t.state ? t.state[row.name as AgentStatus] : row.name}
                    <span className="num faint small">{t.agents(row.n)}</span>
                  </h2>
                ) : (
                  <Line a={row.a} group={whole.groups.get(row.a.groupId)} />
                ))
              );
            }}
          </Rows>
          {hasNextPage && (
            <p className="in">
              <button type="button" className="btn" disabled={isFetching} onClick={() => void fetchNextPage()}>
                {isFetching ? words.reading : words.more(whole.total - whole.agents.length)}
              </button>
            </p>
          )}
        </section>
      )}
    </main>
  );
}

function Line({ a, group }: { a: Agent; group: Group | undefined }) {
  const words = useWords();
  const navigate = historyRoute.useNavigate();
  const created = a.run.createdFiles ?? [];
  const edited = a.run.editedFiles ?? [];
  return (
    <Link
      to="/agents/$id"
      params={{ id: a.agentId }}
      search={{ tab: 'result' }}
      className="hrow"
      data-tone={toneOf(a.outcome ?? a.status)}
      data-item
      data-peek={a.agentId}
      onClick={(e) => {
        if (e.ctrlKey || e.metaKey || e.shiftKey) return;
        e.preventDefault(); // the place in the list is kept; the drawer leads to the page
        void navigate({ search: (old) => ({ ...old, peek: a.agentId }) });
      }}
    >
      <Status s={a.status} />
      <span className="one">{a.role}</span>
      <span className="mono one faint">{a.agentId}</span>
      <span className="one dim" title={a.groupId}>
        {group?.description || a.groupId}
      </span>
      <span className="one">{a.run.error || a.run.lastAssistantMessage}</span>
      <span className="num end">{brief(durationOf(a))}</span>
      <span className="num end">{a.run.toolCallCount}</span>
      <span className="num end" title={[...created, ...edited].join('\n')}>
        {created.length > 0 && words.created(created.length)} {edited.length > 0 && words.edited(edited.length)}
      </span>
      <span className="end dim">
        <Moment at={a.endedAt} />
      </span>
    </Link>
  );
}
