import { CircleAlert, ListTree, PanelLeft, Pencil, RotateCw, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useT } from '../../i18n/index.ts';
import { Fault } from '../../parts/Fault.tsx';
import { useDeed } from '../../parts/useDeed.ts';
import { chatRoute } from '../../router.tsx';
import '../../styles/chat.css';
import '../../styles/lines.css';
import { Composer } from './Composer.tsx';
import { HandOver } from './HandOver.tsx';
import { Sidebar } from './Sidebar.tsx';
import { Thread } from './Thread.tsx';
import { useChat } from './useChat.ts';
import { useSessions } from './useSessions.ts';
import { nameSession, type Session } from './wire.ts';
import { useWords } from './words.ts';

/** Talks with the project. */
export function ChatPage() {
  const { id } = chatRoute.useParams();
  const all = useSessions();
  const [open, setOpen] = useState(false);
  return (
    <main className="page flush chat" id="page" data-open={open || undefined}>
      <Sidebar chosen={id} all={all} onChoose={() => setOpen(false)} />
      <Room key={id} id={id} all={all} onTalks={() => setOpen((o) => !o)} open={open} />
    </main>
  );
}

function Room({
  id,
  all,
  open,
  onTalks,
}: {
  id: string;
  all: ReturnType<typeof useSessions>;
  open: boolean;
  onTalks: () => void;
}) {
  const t = useT();
  const w = useWords();
  const chat = useChat(id, all);
  const { talk } = chat;
  const [giving, give] = useState(false);
  const said = talk.lines.some((l) => !l.local);
  return (
    <section className="room">
      <header className="roombar">
        <button
          type="button"
          className="btn quiet icon toggle"
          aria-expanded={open}
          aria-label={w.sessions}
          title={w.sessions}
          onClick={onTalks}
        >
          <PanelLeft size={16} aria-hidden />
        </button>
        {talk.session && <Title key={talk.session.title} session={talk.session} named={chat.named} />}
        <span className="sp" />
        <button type="button" className="btn small" disabled={!said} onClick={() => give(true)}>
          <ListTree size={13} aria-hidden />
          {w.crew}
        </button>
      </header>
      {talk.error && (
        <div className="fault" role="alert">
          <CircleAlert size={16} aria-hidden />
          <div className="stack" style={{ gap: 2 }}>
            <b>{w.failedSend}</b>
            <p className="text">
              {t.fault[talk.error.code as keyof typeof t.fault] ?? talk.error.code}: {talk.error.message}
            </p>
            {talk.error.remedy && <p className="text">→ {talk.error.remedy}</p>}
          </div>
          <span className="sp" />
          <button type="button" className="btn quiet small icon" aria-label={w.dismiss} onClick={chat.dismiss}>
            <X size={14} aria-hidden />
          </button>
        </div>
      )}
      {talk.unread && (
        <div className="fault" role="alert">
          <CircleAlert size={16} aria-hidden />
          <div className="stack" style={{ gap: 2 }}>
            <b>{talk.unread.code === 'not_found' ? w.unknown : w.noHistory}</b>
            {talk.unread.code !== 'not_found' && <p className="text">{talk.unread.message}</p>}
          </div>
          <span className="sp" />
          {talk.unread.code !== 'not_found' && (
            <button type="button" className="btn small" onClick={chat.reload}>
              <RotateCw size={12} aria-hidden />
              {w.reload}
            </button>
          )}
        </div>
      )}
      {!talk.session && !talk.unread && talk.lines.length === 0 && <p className="dim wait">{t.loading}</p>}
      <Thread talk={talk} earlier={chat.earlier} again={chat.again} />
      <Composer input={chat.input} setInput={chat.setInput} loading={talk.saying !== null} send={chat.send} />
      {giving && <HandOver lines={talk.lines} onClose={() => give(false)} />}
    </section>
  );
}

function Title({ session, named }: { session: Session; named: (s: Session) => void }) {
  const w = useWords();
  const [text, setText] = useState<string | null>(null);
  const { busy, error, run } = useDeed(
    () => nameSession(session.id, (text ?? '').trim()),
    (s) => {
      setText(null);
      named(s);
    },
  );
  if (text === null) {
    return (
      <>
        <h2 className="one">{session.title ?? w.untitled}</h2>
        <button
          type="button"
          className="btn quiet small icon"
          aria-label={w.rename}
          title={w.rename}
          onClick={() => setText(session.title ?? '')}
        >
          <Pencil size={13} aria-hidden />
        </button>
      </>
    );
  }
  return (
    <form
      className="row rename"
      onSubmit={(e: FormEvent) => {
        e.preventDefault();
        if (text.trim()) run();
      }}
    >
      <input
        className="input"
        aria-label={w.title}
        // biome-ignore lint/a11y/noAutofocus: who pressed the pencil wants to write
        autoFocus
        maxLength={200}
        value={text}
        onChange={(e) => setText(e.target.value)}
        onKeyDown={(e) => {
          if (e.key === 'Escape' && !e.nativeEvent.isComposing) setText(null);
        }}
      />
      <button type="submit" className="btn small" disabled={busy || !text.trim()}>
        {w.save}
      </button>
      {error !== null && <Fault error={error} />}
    </form>
  );
}
