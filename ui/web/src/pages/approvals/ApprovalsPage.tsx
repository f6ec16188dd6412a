import { Inbox } from 'lucide-react';
import { store, useLive } from '../../live/store.ts';
import { Approvals, useApprovals } from '../../parts/Approvals.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Questions } from './Questions.tsx';
import { useWords } from './words.ts';

/** Everything that waits for a person's word, in one place: money first, since it holds up the most. */
export function ApprovalsPage() {
  const w = useWords();
  const loaded = useLive('loaded', () => store.loaded);
  const asked = useApprovals();
  return (
    <main className="page stack" id="page">
      {asked.length > 0 ? (
        <>
          <p className="dim">{w.why}</p>
          <Approvals />
          <Questions />
        </>
      ) : (
        loaded && (
          <Empty icon={Inbox} title={w.empty}>
            <p>{w.emptyWhy}</p>
          </Empty>
        )
      )}
    </main>
  );
}
