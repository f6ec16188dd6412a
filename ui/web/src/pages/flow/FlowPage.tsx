import { Link } from '@tanstack/react-router';
import { List, SendHorizontal, Waypoints, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useT } from '../../i18n/index.ts';
import { store, useVersion } from '../../live/store.ts';
import { Box } from '../../parts/Box.tsx';
import { Command } from '../../parts/Copy.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Letter } from '../../parts/Letter.tsx';
import { Views } from '../../parts/Views.tsx';
import { flowRoute } from '../../router.tsx';
import { Compose } from '../tasks/Compose.tsx';
import { Sequence } from './Sequence.tsx';
import { type Class, classes, classOf, type Said } from './script.ts';
import { Thinking } from './Thinking.tsx';
import { useScript } from './useScript.ts';

const tones: Record<Class, string> = { request: 'running', answer: 'good', note: 'warn', trouble: 'bad' };
const levels = ['simple', 'detailed', 'off'] as const;

/** Who says what to whom: as a sequence, or as the letters themselves. */
export function FlowPage() {
  const t = useT();
  const search = flowRoute.useSearch();
  const navigate = flowRoute.useNavigate();
  useVersion('tasks');
  const { script, version } = useScript(search.task);
  const [chosen, choose] = useState<number | null>(null);
  const [composing, setComposing] = useState(false);
  const level = levels.find((l) => l === search.thinking) ?? 'simple';
  const list = search.view === 'list';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the script grows in place
  const { said, counts } = useMemo(() => {
    const wanted = search.kinds ? new Set(search.kinds.split(',')) : null;
    const counts: Record<Class, number> = { request: 0, answer: 0, note: 0, trouble: 0 };
    const said: Said[] = [];
    for (const s of script.said) {
      const c = classOf(s);
      counts[c]++;
      if (!wanted || wanted.has(c)) said.push(s);
    }
    return { said, counts };
  }, [script, version, search.kinds]);
  const set = (change: Partial<Record<'task' | 'view' | 'kinds' | 'thinking', string | undefined>>) =>
    void navigate({ search: (old) => ({ ...old, ...change }) as typeof old, replace: true });
  const toggle = (c: Class) => {
    const now = new Set(search.kinds ? search.kinds.split(',') : []);
    if (!now.delete(c)) now.add(c);
    set({ kinds: now.size === 0 || now.size === classes.length ? undefined : [...now].join(',') });
  };
  const roots = [...store.tasks.values()].filter((x) => x.depth === 0 && !x.owner.startsWith('agent:'));
  roots.sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  const whole = chosen === null ? undefined : script.said.find((s) => s.seq === chosen);
  return (
    <main className="page flush" id="page">
      <div className="filters">
        <select
          className="input"
          style={{ width: 'auto', maxWidth: 320 }}
          aria-label={t.flow.task}
          value={search.task ?? ''}
          onChange={(e) => set({ task: e.target.value || undefined })}
        >
          <option value="">{t.flow.allTasks}</option>
          {roots.map((x) => (
            <option key={x.id} value={x.id}>
              {x.content.slice(0, 60)}
            </option>
          ))}
          {search.task && !roots.some((x) => x.id === search.task) && (
            <option value={search.task}>{search.task}</option>
          )}
        </select>
        {search.task && (
          <Link to="/tasks/$id" params={{ id: search.task }} className="btn small">
            {t.flow.openTask}
          </Link>
        )}
        <div className="row chips">
          {classes.map((c) => (
            <button
              key={c}
              type="button"
              className="chip"
              data-tone={tones[c]}
              aria-pressed={Boolean(search.kinds?.split(',').includes(c))}
              onClick={() => toggle(c)}
            >
              {t.flow.classes[c]}
              <b className="num">{counts[c]}</b>
            </button>
          ))}
        </div>
        <span className="sp" />
        <label className="with small dim">
          {t.thinking}
          <select
            className="input"
            style={{ width: 'auto' }}
            value={level}
            onChange={(e) => set({ thinking: e.target.value === 'simple' ? undefined : e.target.value })}
          >
            {levels.map((l) => (
              <option key={l} value={l}>
                {t.flow.levels[l]}
              </option>
            ))}
          </select>
        </label>
        <Views
          views={[
            { key: 'sequence', name: t.flow.sequence, icon: Waypoints },
            { key: 'list', name: t.flow.list, icon: List },
          ]}
          chosen={list ? 'list' : 'sequence'}
          choose={(v) => set({ view: v === 'list' ? v : undefined })}
        />
        <button type="button" className="btn go" onClick={() => setComposing(true)}>
          <SendHorizontal size={14} aria-hidden />
          {t.tasks.new}
        </button>
      </div>
      <div className="flowgrid" data-thinking={level !== 'off'}>
        <div className="page flush">
          {script.said.length === 0 ? (
            <Empty icon={Waypoints} title={t.flow.empty}>
              <Command text={'kurogo submit "…"'} />
            </Empty>
          ) : list ? (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
            <ol className="said-list" tabIndex={0} aria-label={t.flow.list}>
              {said.slice(-500).map((s) => (
                <Letter key={s.seq} m={s.m} thinking={level !== 'off'} />
              ))}
            </ol>
          ) : (
            <Sequence said={said} chosen={chosen} choose={(seq) => choose((old) => (old === seq ? null : seq))} />
          )}
          {whole && !list && (
            <section className="whole" aria-label={t.flow.whole}>
              <header>
                <span className="tag">{t.flow.fate[whole.fate]}</span>
                {whole.error && <span className="dim">{whole.error}</span>}
                <span className="sp" />
                <button
                  type="button"
                  className="btn quiet small icon"
                  aria-label={t.close}
                  onClick={() => choose(null)}
                >
                  <X size={14} aria-hidden />
                </button>
              </header>
              <ol>
                <Letter m={whole.m} thinking={level !== 'off'} />
              </ol>
            </section>
          )}
        </div>
        {level !== 'off' && <Thinking thoughts={script.thoughts} detailed={level === 'detailed'} version={version} />}
      </div>
      {composing && (
        <Box title={t.tasks.new} onClose={() => setComposing(false)}>
          <div className="in">
            <Compose
              onSent={(id) => {
                setComposing(false);
                set({ task: id });
              }}
            />
          </div>
        </Box>
      )}
    </main>
  );
}
