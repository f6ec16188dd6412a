import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useT } from '../i18n/index.ts';

/** A dialog of the browser's own: it traps the focus and gives it back, and Esc closes it. */
export function Box({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const t = useT();
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes a dialog without us
    <dialog
      ref={ref}
      className="box"
      aria-labelledby={id}
      onClose={onClose}
      onClick={(e) => {
        if (e.target === ref.current) onClose();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <span className="sp" />
        <button type="button" className="btn quiet icon" aria-label={t.close} onClick={onClose}>
          <X size={16} aria-hidden />
        </button>
      </header>
      {children}
    </dialog>
  );
}
