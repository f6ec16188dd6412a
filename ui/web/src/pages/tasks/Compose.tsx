import { useNavigate } from '@tanstack/react-router';
import { SendHorizontal } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { useT } from '../../i18n/index.ts';
import { line } from '../../live/line.ts';
import { store, useVersion } from '../../live/store.ts';
import { CopyCommand, quote } from '../../parts/Copy.tsx';
import { Fault } from '../../parts/Fault.tsx';
import { useDeed } from '../../parts/useDeed.ts';

const priorities = ['low', 'normal', 'high', 'urgent'] as const;

/** Gives the crew a task. It goes to the top unless one is named. */
export function Compose({ onSent }: { onSent?: (id: string) => void }) {
  const t = useT();
  const navigate = useNavigate();
  useVersion('crew');
  const crew = [...store.crew.values()];
  const top = crew.find((m) => m.reports_to === 'user')?.name ?? '';
  const [content, setContent] = useState('');
  const [to, setTo] = useState('');
  const [priority, setPriority] = useState<(typeof priorities)[number]>('normal');
  const [minutes, setMinutes] = useState('');
  const { busy, error, run } = useDeed(
    () =>
      line.call<{ taskId: string }>('submit_task', {
        content: content.trim(),
        ...(to ? { to } : {}),
        ...(priority === 'normal' ? {} : { priority }),
        ...(Number(minutes) > 0 ? { deadline_s: Math.round(Number(minutes) * 60) } : {}),
      }),
    ({ taskId }) => {
      setContent('');
      if (onSent) onSent(taskId);
      else void navigate({ to: '/tasks/$id', params: { id: taskId } });
    },
  );
  const submit = (e: FormEvent) => {
    e.preventDefault();
    if (content.trim()) run();
  };
  // Ctrl+Enter sends. Enter alone never does: it may end the choice of a character.
  const keys = (e: KeyboardEvent) => {
    if (e.key === 'Enter' && (e.ctrlKey || e.metaKey) && !e.nativeEvent.isComposing) submit(e);
  };
  const command = `kurogo submit${to ? ` --to ${to}` : ''}${priority === 'normal' ? '' : ` --priority ${priority}`}${Number(minutes) > 0 ? ` --deadline ${minutes}m` : ''} ${quote(content.trim())}`;
  return (
    <form className="panel compose" onSubmit={submit}>
      <label className="field">
        {t.tasks.compose}
        <textarea
          className="input"
          rows={3}
          value={content}
          placeholder={t.tasks.hint}
          onChange={(e) => setContent(e.target.value)}
          onKeyDown={keys}
        />
      </label>
      <div className="row">
        <select className="input" aria-label={t.tasks.to} value={to} onChange={(e) => setTo(e.target.value)}>
          <option value="">{t.tasks.toTop(top)}</option>
          {crew
            .filter((m) => m.name !== top)
            .map((m) => (
              <option key={m.name} value={m.name}>
                {m.title || m.name}
              </option>
            ))}
        </select>
        <select
          className="input"
          aria-label={t.tasks.priority}
          value={priority}
          onChange={(e) => setPriority(e.target.value as typeof priority)}
        >
          {priorities.map((p) => (
            <option key={p} value={p}>
              {t.priority[p]}
            </option>
          ))}
        </select>
        <input
          className="input num"
          type="number"
          min={1}
          size={10}
          aria-label={t.tasks.deadline}
          placeholder={t.tasks.deadline}
          value={minutes}
          onChange={(e) => setMinutes(e.target.value)}
        />
        <span className="sp" />
        {content.trim() && <CopyCommand text={command} />}
        <button type="submit" className="btn go" disabled={busy || !content.trim()}>
          <SendHorizontal size={14} aria-hidden />
          {t.tasks.send}
        </button>
      </div>
      {error !== null && <Fault error={error} />}
    </form>
  );
}
