import type { Virtualizer } from '@tanstack/react-virtual';
import type { ReactNode } from 'react';

/** The rows of a long list that are in sight, each at its height; the others only take their room. */
export function Rows<S extends Element>({
  virtual,
  className = 'vrow',
  children,
}: {
  virtual: Virtualizer<S, Element>;
  className?: string;
  children: (index: number) => ReactNode;
}) {
  return (
    <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
      {virtual.getVirtualItems().map((item) => (
        <div
          key={item.key}
          className={className}
          style={{ height: item.size, transform: `translateY(${item.start - virtual.options.scrollMargin}px)` }}
        >
          {children(item.index)}
        </div>
      ))}
    </div>
  );
}
