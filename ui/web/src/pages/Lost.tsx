import { Link } from '@tanstack/react-router';
import { MapPinOff } from 'lucide-react';
import { useT } from '../i18n/index.ts';
import { Empty } from '../parts/Empty.tsx';

export function Lost() {
  const t = useT();
  return (
    <main className="page" id="page">
      <Empty icon={MapPinOff} title={t.lost.title}>
        <p>{t.lost.why}</p>
        <Link to="/" className="btn">
          {t.nav.stage}
        </Link>
      </Empty>
    </main>
  );
}
