import { OctagonX } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../i18n/index.ts';
import { FormBox } from './FormBox.tsx';

/** Ends what goes on, once it was asked for twice. It asks on when that has ended by itself meanwhile. */
export function Cancel({
  on,
  sure,
  why,
  act,
}: {
  on: boolean;
  sure: string;
  why: string;
  act: () => Promise<unknown>;
}) {
  const t = useT();
  const [asking, setAsking] = useState(false);
  return (
    <>
      {on && (
        <button type="button" className="btn danger" onClick={() => setAsking(true)}>
          <OctagonX size={14} aria-hidden />
          {t.cancel}
        </button>
      )}
      {asking && (
        <FormBox grave title={sure} verb={t.cancel} act={act} onClose={() => setAsking(false)}>
          <p className="dim">{why}</p>
        </FormBox>
      )}
    </>
  );
}
