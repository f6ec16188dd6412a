import { Link } from '@tanstack/react-router';
import { FilePen, FilePlus2, FileX2 } from 'lucide-react';
import { useT } from '../../i18n/index.ts';
import type { Run } from '../../live/words.ts';
import { Copy } from '../../parts/Copy.tsx';

/** The files that were touched, each with what happened to it. */
export function Files({
  run,
  by,
}: {
  run: Pick<Run, 'createdFiles' | 'editedFiles' | 'deletedFiles'>;
  by?: Map<string, string[]>;
}) {
  const t = useT();
  const rows = [
    ...(run.createdFiles ?? []).map((path) => ({ path, what: t.agent.created, icon: FilePlus2, tone: 'good' })),
    ...(run.editedFiles ?? []).map((path) => ({ path, what: t.agent.edited, icon: FilePen, tone: 'running' })),
    ...(run.deletedFiles ?? []).map((path) => ({ path, what: t.agent.deleted, icon: FileX2, tone: 'bad' })),
  ];
  if (rows.length === 0) return <p className="dim">{t.agent.noFiles}</p>;
  return (
    <ul className="panel files">
      {rows.map((r) => (
        <li key={r.what + r.path} data-tone={r.tone}>
          <r.icon size={15} aria-hidden />
          <code>{r.path}</code>
          <span className="sp" />
          {(by?.get(r.path) ?? []).map((id) => (
            <Link key={id} to="/agents/$id" params={{ id }} search={{ tab: 'files' }} className="link mono small">
              {id}
            </Link>
          ))}
          <span className="tag" data-tone={r.tone}>
            {r.what}
          </span>
          <Copy text={r.path} what={t.path} />
        </li>
      ))}
    </ul>
  );
}

export const fileCount = (run: Pick<Run, 'createdFiles' | 'editedFiles' | 'deletedFiles'>): number =>
  (run.createdFiles?.length ?? 0) + (run.editedFiles?.length ?? 0) + (run.deletedFiles?.length ?? 0);
