import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** A page with nothing on it yet says what to do first. */
export function Empty({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children?: ReactNode }) {
  return (
    <section className="empty">
      <Icon size={34} strokeWidth={1.4} aria-hidden />
      <h2>{title}</h2>
      {children}
    </section>
  );
}
