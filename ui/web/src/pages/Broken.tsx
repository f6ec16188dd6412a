import type { ErrorComponentProps } from '@tanstack/react-router';
import { HeartCrack } from 'lucide-react';
import { useT } from '../i18n/index.ts';
import { Empty } from '../parts/Empty.tsx';

/** A page that fell. The others stand. */
export function Broken({ error }: ErrorComponentProps) {
  const t = useT();
  return (
    <main className="page" id="page">
      <Empty icon={HeartCrack} title={t.fault.internal}>
        <p className="mono">{error instanceof Error ? error.message : String(error)}</p>
        <button type="button" className="btn" onClick={() => location.reload()}>
          {t.conn.reloadVerb}
        </button>
      </Empty>
    </main>
  );
}
