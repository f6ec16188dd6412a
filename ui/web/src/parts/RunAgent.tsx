import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useT } from '../i18n/index.ts';
import { line } from '../live/line.ts';
import { store, useVersion } from '../live/store.ts';
import type { Agent } from '../live/words.ts';
import { quote } from './Copy.tsx';
import { FormBox } from './FormBox.tsx';

const fresh = '+';

/** Runs an agent: a new one, or one that has run, with edits. */
export function RunAgent({
  again,
  group,
  role: wanted,
  onClose,
}: {
  again?: Agent;
  group?: string;
  role?: string;
  onClose: () => void;
}) {
  const t = useT();
  const navigate = useNavigate();
  useVersion('roles');
  const roles = [...store.roles.values()].filter((r) => !r.hidden);
  const groups = [...store.groups.values()].filter((g) => g.status === 'active');
  const first = again?.groupId ?? group;
  const [into, setInto] = useState(groups.some((g) => g.groupId === first) && first ? first : fresh);
  const [title, setTitle] = useState('');
  const [role, setRole] = useState(again?.role ?? wanted ?? roles.find((r) => r.available)?.id ?? '');
  const [prompt, setPrompt] = useState(again?.prompt ?? '');
  const [dir, setDir] = useState(again?.workingDirectory ?? '');
  const [seconds, setSeconds] = useState(again ? String(Math.round(again.timeout / 1e9)) : '');
  const chosen = roles.find((r) => r.id === role);

  const begin = async () => {
    const groupId =
      into === fresh
        ? (
            await line.call<{ groupId: string }>('create_group', {
              description: title.trim() || prompt.trim().slice(0, 80),
            })
          ).groupId
        : into;
    const { agentId } = await line.call<{ agentId: string }>('run_agent', {
      groupId,
      role,
      prompt,
      ...(dir.trim() ? { workingDirectory: dir.trim() } : {}),
      ...(Number(seconds) > 0 ? { timeout_ms: Math.round(Number(seconds) * 1000) } : {}),
    });
    void navigate({ to: '/agents/$id', params: { id: agentId } });
  };
  const command = `kurogo agent run --role ${quote(role)}${into === fresh ? '' : ` --group ${into}`}${dir.trim() ? ` --dir ${quote(dir.trim())}` : ''}${Number(seconds) > 0 ? ` --timeout ${seconds}s` : ''} ${quote(prompt)}`;
  return (
    <FormBox
      title={again ? t.run.again : t.run.title}
      verb={t.run.verb}
      ready={prompt.trim() !== '' && role !== ''}
      command={command}
      act={begin}
      onClose={onClose}
    >
      <div className="pair">
        <label className="field">
          {t.col.role}
          <select className="input" value={role} onChange={(e) => setRole(e.target.value)}>
            {roles.map((r) => (
              <option key={r.id} value={r.id} disabled={!r.available}>
                {r.id} — {r.name}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          {t.col.group}
          <select className="input" value={into} onChange={(e) => setInto(e.target.value)}>
            <option value={fresh}>{t.run.newGroup}</option>
            {groups.map((g) => (
              <option key={g.groupId} value={g.groupId}>
                {g.description || g.groupId}
              </option>
            ))}
          </select>
        </label>
      </div>
      {into === fresh && (
        <label className="field">
          {t.run.groupFor}
          <input className="input" value={title} maxLength={200} onChange={(e) => setTitle(e.target.value)} />
        </label>
      )}
      <label className="field">
        {t.run.prompt}
        <textarea className="input" rows={7} required value={prompt} onChange={(e) => setPrompt(e.target.value)} />
      </label>
      <div className="pair">
        <label className="field">
          {t.agent.dir}
          <input
            className="input mono"
            value={dir}
            placeholder={t.run.dirDefault}
            onChange={(e) => setDir(e.target.value)}
          />
        </label>
        <label className="field">
          {t.run.timeout}
          <input
            className="input num"
            type="number"
            min={1}
            value={seconds}
            placeholder={t.run.timeoutDefault}
            onChange={(e) => setSeconds(e.target.value)}
          />
        </label>
      </div>
      {chosen && <p className="dim">{t.run.plays(chosen.driver, chosen.model)}</p>}
    </FormBox>
  );
}
