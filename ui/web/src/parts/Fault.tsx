import { CircleAlert } from 'lucide-react';
import { useT } from '../i18n/index.ts';
import { Refused } from '../live/socket.ts';

/** What went wrong, why, and what to do about it. */
export function Fault({ error }: { error: unknown }) {
  const t = useT();
  const fault = error instanceof Refused ? error.fault : { code: 'internal', message: String(error) };
  return (
    <div className="fault" role="alert">
      <CircleAlert size={16} aria-hidden />
      <div className="stack" style={{ gap: 2 }}>
        <b>
          {t.fault[fault.code as keyof typeof t.fault] ?? fault.code}
          <span className="faint mono"> {fault.field}</span>
        </b>
        <p className="text">{fault.message}</p>
        {fault.remedy && <p className="text">→ {fault.remedy}</p>}
      </div>
    </div>
  );
}
