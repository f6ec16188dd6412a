import { useVirtualizer } from '@tanstack/react-virtual';
import { Clapperboard, LayoutGrid, Plus, Rows3, Search } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useT } from '../../i18n/index.ts';
import { store, useLive } from '../../live/store.ts';
import { Chips } from '../../parts/Chips.tsx';
import { Command } from '../../parts/Copy.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Find } from '../../parts/Find.tsx';
import { Rows } from '../../parts/Rows.tsx';
import { RunAgent } from '../../parts/RunAgent.tsx';
import { Views } from '../../parts/Views.tsx';
import { stageRoute } from '../../router.tsx';
import { Attention } from './Attention.tsx';
import { Card, Line } from './Card.tsx';
import { Crew } from './Crew.tsx';
import { Head } from './Head.tsx';
import { filters, heights, lay, type Row } from './layout.ts';

const cardWidth = 296;
const settle = 250; // ms between two layouts while agents change state

/** useSettled is the version of the agents, at most four times a second. */
function useSettled(): number {
  const [version, set] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        set((n) => n + 1);
      }, settle);
    };
    const stop = [
      store.listen('agents', later),
      store.listen('groups', later),
      store.listen('loaded', () => set((n) => n + 1)),
    ];
    return () => {
      clearTimeout(timer);
      for (const f of stop) f();
    };
  }, []);
  return version;
}

const tones = { running: 'running', queued: 'queued', done: 'good', fallen: 'bad' } as const;

/** Everything that acts, now. */
export function Stage() {
  const t = useT();
  const search = stageRoute.useSearch();
  const navigate = stageRoute.useNavigate();
  const loaded = useLive('loaded', () => store.loaded);
  const version = useSettled();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [running, setRunning] = useState(false);
  const scroll = useRef<HTMLDivElement>(null);
  const before = useRef<HTMLDivElement>(null);
  const [columns, setColumns] = useState(3);
  const [margin, setMargin] = useState(0);
  const table = search.view === 'table';

  // biome-ignore lint/correctness/useExhaustiveDependencies: version says when the store has changed
  const layout = useMemo(
    () =>
      lay(store, {
        ...(search.status ? { status: search.status } : {}),
        ...(search.q ? { q: search.q } : {}),
        table,
        columns,
        folded,
      }),
    [version, search.status, search.q, table, columns, folded],
  );

  useEffect(() => {
    const box = scroll.current;
    const head = before.current;
    if (!box || !head) return;
    const measure = new ResizeObserver(() => {
      setColumns(Math.max(1, Math.floor((box.clientWidth - 24) / cardWidth)));
      setMargin(head.offsetHeight);
    });
    measure.observe(box);
    measure.observe(head);
    return () => measure.disconnect();
  }, []);

  const rows = useVirtualizer({
    count: layout.rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: (i) => heights[layout.rows[i]?.kind ?? 'head'],
    getItemKey: (i) => layout.rows[i]?.key ?? i,
    scrollMargin: margin,
    overscan: 5,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows have other heights
  useEffect(() => rows.measure(), [layout.rows, rows]);

  const fold = useCallback((id: string) => {
    setFolded((old) => {
      const next = new Set(old);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);

  const choose = (change: { status?: string | undefined; q?: string; view?: string | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...change }) as typeof old, replace: true });

  return (
    <main className="page flush" id="page">
      <div className="filters">
        <div className="row chips">
          <Chips
            keys={filters}
            names={t.stage.filter}
            chosen={search.status}
            choose={(status) => choose({ status })}
            tones={tones}
            counts={layout.filters}
            total={layout.total}
          />
        </div>
        <span className="sp" />
        <Find label={t.stage.find} value={search.q ?? ''} say={(q) => choose({ q })} />
        <Views
          views={[
            { key: 'grid', name: t.stage.grid, icon: LayoutGrid },
            { key: 'table', name: t.stage.table, icon: Rows3 },
          ]}
          chosen={table ? 'table' : 'grid'}
          choose={(v) => choose({ view: v === 'table' ? v : undefined })}
        />
        <button type="button" className="btn go" onClick={() => setRunning(true)}>
          <Plus size={15} aria-hidden />
          {t.run.verb}
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="scroll" ref={scroll} tabIndex={0} aria-label={t.nav.stage}>
        <div ref={before} className="before">
          <Attention version={version} />
          {!search.q && !search.status && <Crew />}
          {loaded && layout.rows.length === 0 && <Nothing filtered={Boolean(search.q || search.status)} />}
        </div>
        <Rows virtual={rows}>
          {(i) => {
            const row = layout.rows[i];
            return row && <Drawn row={row} columns={columns} fold={fold} />;
          }}
        </Rows>
      </section>
      {running && <RunAgent onClose={() => setRunning(false)} />}
    </main>
  );
}

function Drawn({ row, columns, fold }: { row: Row; columns: number; fold: (id: string) => void }) {
  const t = useT();
  switch (row.kind) {
    case 'head':
      return <Head section={row.section} folded={row.folded} fold={fold} />;
    case 'cards':
      return (
        <div className="cards" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
          {row.ids.map((id) => (
            <Card key={id} id={id} />
          ))}
        </div>
      );
    case 'columns':
      return (
        <div className="line columns" aria-hidden>
          <span>{t.col.status}</span>
          <span>{t.col.role}</span>
          <span>{t.col.id}</span>
          <span>{t.col.last}</span>
          <span>{t.col.model}</span>
          <span className="end">{t.col.tools}</span>
          <span className="end">{t.col.elapsed}</span>
        </div>
      );
    case 'line':
      return <Line id={row.id} />;
    case 'note':
      return <p className="note dim">{t.stage.emptyGroup}</p>;
  }
}

function Nothing({ filtered }: { filtered: boolean }) {
  const t = useT();
  if (filtered) return <Empty icon={Search} title={t.stage.noMatch} />;
  return (
    <Empty icon={Clapperboard} title={t.stage.empty}>
      <p>{t.stage.emptyWhy}</p>
      <Command text={'kurogo submit "write a haiku about stagehands"'} />
      <p>{t.stage.emptyClient}</p>
      <Command text="kurogo install cursor" />
    </Empty>
  );
}
