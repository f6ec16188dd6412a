import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useT } from '../i18n/index.ts';
import { Empty } from './Empty.tsx';
import { Fault } from './Fault.tsx';

/** The page of one thing: the thing as soon as it is there, or why it is not, and the way to the others. */
export function Sought({
  error,
  unknown,
  others,
  to,
  children,
}: {
  error: unknown;
  unknown: string;
  others: string;
  to: '/evals' | '/runs' | '/tasks';
  children: ReactNode;
}) {
  const t = useT();
  return (
    <main className="page" id="page">
      {children ||
        (error ? (
          <Empty icon={SearchX} title={unknown}>
            <Fault error={error} />
            <Link className="btn" to={to}>
              {others}
            </Link>
          </Empty>
        ) : (
          <p className="dim">{t.loading}</p>
        ))}
    </main>
  );
}
