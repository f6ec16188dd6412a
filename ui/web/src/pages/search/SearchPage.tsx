import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileSearch, TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { get } from '../../live/rest.ts';
import { Refused } from '../../live/socket.ts';
import { Command, Copy, quote } from '../../parts/Copy.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Fault } from '../../parts/Fault.tsx';
import { Find } from '../../parts/Find.tsx';
import { searchRoute } from '../../router.tsx';
import '../../styles/lines.css';
import '../../styles/search.css';
import { Source } from './Source.tsx';
import { TalkHits } from './TalkHits.tsx';
import { type Chunk, type IndexStatus, type Intent, intents, searchIndex } from './wire.ts';
import { useWords } from './words.ts';

const patience = 250; // ms without a key before the house is asked
const most = 50;

/** Asks the code base, and what was said about it. What is asked is in the address. */
export function SearchPage() {
  const w = useWords();
  const { q = '', in: where, path = '', intent, by, open } = searchRoute.useSearch();
  const navigate = searchRoute.useNavigate();
  const choose = (change: Record<string, string | undefined>) =>
    void navigate({ search: (old) => ({ ...old, ...change }) as typeof old, replace: true });
  const settled = useSettled(q.trim());
  const prefix = useSettled(path.trim());
  const talk = where === 'talk';
  // Down from the field into what was found.
  const keys = (e: KeyboardEvent) => {
    if (e.nativeEvent.isComposing || e.keyCode === 229 || (e.key !== 'ArrowDown' && e.key !== 'Enter')) return;
    if (!(e.target instanceof HTMLInputElement)) return;
    e.preventDefault();
    document.querySelector<HTMLElement>('.hits [data-item]')?.focus();
  };
  const close = () => {
    const before = open;
    choose({ open: undefined });
    requestAnimationFrame(() => {
      for (const a of document.querySelectorAll<HTMLElement>('.hits [data-item]'))
        if (a.dataset.ref === before) a.focus();
    });
  };
  return (
    <main className="page search" id="page" data-open={open ? true : undefined}>
      <div className="ask stack" onKeyDown={keys} role="search">
        <div className="row">
          <Find label={w.ask} value={q} say={(text) => choose({ q: text })} />
          <div className="seg" role="group" aria-label={w.where}>
            <button type="button" className="btn" aria-pressed={!talk} onClick={() => choose({ in: undefined })}>
              {w.code}
            </button>
            <button type="button" className="btn" aria-pressed={talk} onClick={() => choose({ in: 'talk' })}>
              {w.talk}
            </button>
          </div>
        </div>
        {!talk && (
          <div className="row">
            <input
              className="input prefix mono"
              aria-label={w.path}
              placeholder={`${w.path}…`}
              value={path}
              onChange={(e) => choose({ path: e.target.value })}
            />
            <select
              className="input"
              aria-label={w.intent}
              value={intent ?? 'implementation'}
              onChange={(e) => choose({ intent: e.target.value === 'implementation' ? undefined : e.target.value })}
            >
              {intents.map((i) => (
                <option key={i} value={i}>
                  {w.intents[i]}
                </option>
              ))}
            </select>
            <select
              className="input"
              aria-label={w.by}
              value={by === 'file' ? 'file' : 'span'}
              onChange={(e) => choose({ by: e.target.value === 'file' ? 'file' : undefined })}
            >
              <option value="span">{w.spans}</option>
              <option value="file">{w.files}</option>
            </select>
            <span className="sp" />
            <State />
          </div>
        )}
      </div>
      <div className="both">
        <div className="hits stack">
          {talk ? (
            <TalkHits query={settled} />
          ) : (
            <Hits
              query={settled}
              prefix={prefix}
              intent={intents.find((i) => i === intent)}
              by={by === 'file' ? 'file' : 'span'}
              open={open}
            />
          )}
        </div>
        {open && <Source key={open} open={open} query={settled} onClose={close} />}
      </div>
    </main>
  );
}

// useSettled follows a value that somebody types, once he rests.
function useSettled(value: string): string {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), patience);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** How old the index is, and how much it holds. */
function State() {
  const w = useWords();
  const { data } = useQuery({
    queryKey: ['index'],
    queryFn: ({ signal }) => get<IndexStatus>('/index', signal),
    retry: false,
  });
  if (!data) return null;
  const stale = data.stale_files?.length ?? 0;
  return (
    <span className="faint small num">
      {w.index(data.files, data.chunks)}
      {data.syncing && ` · ${w.syncing}`}
      {stale > 0 && ` · ${w.stale(stale)}`}
    </span>
  );
}

function Hits({
  query,
  prefix,
  intent,
  by,
  open,
}: {
  query: string;
  prefix: string;
  intent: Intent | undefined;
  by: 'span' | 'file';
  open: string | undefined;
}) {
  const w = useWords();
  const { data, error } = useQuery({
    queryKey: ['search', query, prefix, intent, by],
    enabled: query !== '',
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: ({ signal }) =>
      searchIndex(
        {
          query,
          top_k: most,
          granularity: by,
          ...(intent ? { intent } : {}),
          ...(prefix ? { filters: { path_prefix: prefix } } : {}),
        },
        signal,
      ),
  });
  if (query === '') {
    return (
      <Empty icon={FileSearch} title={w.hello}>
        <p>{w.helloWhy}</p>
      </Empty>
    );
  }
  if (error instanceof Refused && error.fault.code === 'unavailable') {
    return (
      <Empty icon={FileSearch} title={w.empty}>
        <p>{error.fault.message}</p>
        <Command text="kurogo index" />
      </Empty>
    );
  }
  if (error) return <Fault error={error} />;
  if (!data) return null;
  const chunks = data.chunks ?? [];
  if (chunks.length === 0) {
    return (
      <Empty icon={FileSearch} title={w.none}>
        <p>{w.noneWhy}</p>
      </Empty>
    );
  }
  const stale = new Set(data.stale_files ?? []);
  const dense = data.dense && !data.dense.startsWith('off') ? w.dense(data.dense) : w.off;
  const command = `kurogo search ${quote(query)}${prefix ? ` --path ${quote(prefix)}` : ''}`;
  return (
    <>
      <div className="row">
        <p className="dim small" role="status">
          {w.results(chunks.length)} · {dense}
        </p>
        <span className="sp" />
        <Copy text={command} what={command} />
      </div>
      <ol className="panel list" aria-label={w.results(chunks.length)}>
        {chunks.map((c) => (
          <Hit key={`${c.path}#${c.span}`} c={c} stale={stale.has(c.path)} chosen={open === `${c.path}#${c.span}`} />
        ))}
      </ol>
    </>
  );
}

function Hit({ c, stale, chosen }: { c: Chunk; stale: boolean; chosen: boolean }) {
  const w = useWords();
  const ref = `${c.path}#${c.span}`;
  return (
    <li className="hit">
      <Link
        from="/search"
        to="/search"
        search={(old) => ({ ...old, open: ref })}
        data-item
        data-ref={ref}
        aria-current={chosen ? 'true' : undefined}
      >
        <span className="row">
          <b className="mono">{c.path}</b>
          <span className="mono accent">{c.span}</span>
          {c.symbol && <span className="tag mono one">{c.symbol}</span>}
          {stale && (
            <span className="tag" data-tone="warn">
              <TriangleAlert size={11} aria-hidden />
              {w.old}
            </span>
          )}
          {c.also && c.also.length > 0 && <span className="tag">{w.also(c.also.length)}</span>}
        </span>
        <code className="peekline">{c.text.split('\n').slice(0, 4).join('\n')}</code>
      </Link>
      <Copy text={ref} what={w.ref} />
    </li>
  );
}
