package api

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"kurogo/messages"
	"kurogo/transport/tools"
)

// A Piece is something of an answer: words to append, or that what was told is
// taken back, or at last the whole answer. All words since the last Reset are the
// answer's content.
type Piece struct {
	Text   string
	Reset  bool
	Answer *messages.ChatMessage
}

// Hear yields the answer to what was said, while it comes into being. An error is
// the last thing that it yields, the answer too. It ends without either soon after
// ctx does.
func Hear(ctx context.Context, p tools.Port, said messages.ChatAccepted) iter.Seq2[Piece, error] {
	return func(yield func(Piece, error) bool) {
		l := &listener{port: p, said: said, yield: yield}
		if said.Answer != nil {
			l.conclude(*said.Answer)
			return
		}
		l.listen(ctx)
	}
}

// A listener follows one answer.
type listener struct {
	port   tools.Port
	said   messages.ChatAccepted
	yield  func(Piece, error) bool
	agent  messages.AgentID // who speaks; "" = nobody yet
	offset int64
	told   strings.Builder // since the last Reset
	rest   []byte          // of a letter that is not whole yet
	blanks string          // that wait for what follows them
	over   bool
}

// listen watches the session, and the agent as soon as it is known who that is.
func (l *listener) listen(ctx context.Context) {
	since := l.said.Since
	for !l.over {
		topic := messages.Topic{
			Kinds: []messages.EventKind{messages.JobChat.Event(messages.JobEntered), messages.ChatMessageAdded, messages.ChatDeleted, messages.JobChat.Event(messages.JobConcluded)},
			IDs:   []string{string(l.said.Session.ID)},
		}
		if l.agent != "" {
			topic.Kinds = append(topic.Kinds, messages.AgentUpdated)
			topic.IDs = append(topic.IDs, string(l.agent))
		}
		speaker := l.agent
		for e, err := range l.port.Watch(ctx, topic, since) {
			if err != nil {
				if ctx.Err() == nil {
					l.yield(Piece{}, err)
				}
				return
			}
			since = e.Seq
			if l.hear(ctx, e); l.over || l.agent != speaker {
				break
			}
		}
		if ctx.Err() != nil {
			return
		}
		if l.agent == speaker { // nobody tells us anything any more
			l.fail(messages.Errorf(messages.CodeUnavailable, "the events have ended before the answer").Try("read the session: the answer will be there"))
		}
	}
}

func (l *listener) hear(ctx context.Context, e messages.Event) {
	switch e.Kind { //nolint:exhaustive // the topic is of these only
	case messages.JobChat.Event(messages.JobEntered):
		l.tried(ctx, e)
	case messages.AgentUpdated:
		l.drain(ctx)
	case messages.ChatMessageAdded:
		var n messages.ChatNews
		if json.Unmarshal(e.Data, &n) != nil || n.Message == nil || n.Message.ReplyTo != l.said.Message.ID {
			return
		}
		l.drain(ctx)
		l.fetch(ctx, *n.Message)
	case messages.ChatDeleted:
		l.fail(messages.Errorf(messages.CodeCancelled, "the session was deleted before the answer").Try("open another one"))
	case messages.JobChat.Event(messages.JobConcluded):
		l.fail(messages.Errorf(messages.CodeCancelled, "the turn was cancelled").Try("say it again"))
	}
}

// tried turns to the agent that answers from now on.
func (l *listener) tried(ctx context.Context, e messages.Event) {
	var entry messages.JobEntry
	var tried messages.ChatTried
	if json.Unmarshal(e.Data, &entry) != nil || entry.Kind != messages.EntryTried ||
		json.Unmarshal(entry.Body, &tried) != nil || tried.Message != l.said.Message.ID || tried.Agent == l.agent {
		return
	}
	l.agent, l.offset, l.rest = tried.Agent, 0, nil
	l.reset()
	l.drain(ctx) // it may have spoken before we heard of it
}

// drain tells what the agent has said since. A stream that cannot be read is no
// reason to miss the answer.
func (l *listener) drain(ctx context.Context) {
	for l.agent != "" && !l.over {
		answer, err := l.port.Ask(ctx, messages.ReadStream{Agent: l.agent, Stream: "said", Offset: l.offset, Limit: 1 << 20})
		chunk, ok := answer.(messages.StreamChunk)
		if err != nil || !ok || len(chunk.Data) == 0 {
			return
		}
		l.offset = chunk.Next
		data := append(l.rest, chunk.Data...)
		n := whole(data)
		l.rest = append([]byte(nil), data[n:]...)
		l.tell(string(data[:n]))
		if chunk.Next >= chunk.Size {
			return
		}
	}
}

// whole is how much of b ends with a whole letter.
func whole(b []byte) int {
	for i := len(b) - 1; i >= 0 && i >= len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			if utf8.FullRune(b[i:]) {
				return len(b)
			}
			return i
		}
	}
	return len(b)
}

// tell passes words on. Blanks wait for what follows them: an answer neither
// begins nor ends with any.
func (l *listener) tell(text string) {
	if l.told.Len() == 0 {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
	}
	text = l.blanks + text
	said := strings.TrimRightFunc(text, unicode.IsSpace)
	l.blanks = text[len(said):]
	if said == "" || l.over {
		return
	}
	l.told.WriteString(said)
	l.over = !l.yield(Piece{Text: said}, nil)
}

func (l *listener) reset() {
	l.blanks = ""
	if l.told.Len() == 0 || l.over {
		return
	}
	l.told.Reset()
	l.over = !l.yield(Piece{Reset: true}, nil)
}

// newest is how far from the end of a session an answer can be that was just told.
const newest = 50

// fetch reads the answer whole: an event holds its beginning, and no passages.
func (l *listener) fetch(ctx context.Context, short messages.ChatMessage) {
	answer, err := l.port.Ask(ctx, messages.GetSession{Session: l.said.Session.ID, Limit: newest})
	if err != nil {
		l.fail(err)
		return
	}
	d, _ := answer.(messages.ChatDetail)
	for _, m := range d.Messages {
		if m.ID == short.ID {
			l.conclude(m)
			return
		}
	}
	l.conclude(short)
}

// conclude makes the words that were told the answer's, and ends with it.
func (l *listener) conclude(m messages.ChatMessage) {
	l.blanks = ""
	left, begins := strings.CutPrefix(m.Content, l.told.String())
	if !begins {
		l.reset()
		left = m.Content
	}
	if left != "" && !l.over { // to the letter
		l.over = !l.yield(Piece{Text: left}, nil)
	}
	if !l.over {
		l.over = true
		l.yield(Piece{Answer: &m}, nil)
	}
}

func (l *listener) fail(err error) {
	if !l.over {
		l.over = true
		l.yield(Piece{}, err)
	}
}

// withBeats hears the answer, and says now and then that we are still here.
func (s *server) withBeats(ctx context.Context, said messages.ChatAccepted, t *teller) iter.Seq2[Piece, error] {
	type heard struct {
		piece Piece
		err   error
	}
	return func(yield func(Piece, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		pieces := make(chan heard)
		go func() {
			defer close(pieces)
			for p, err := range Hear(ctx, s.port, said) {
				select {
				case pieces <- heard{p, err}:
				case <-ctx.Done():
					return
				}
			}
		}()
		defer func() {
			cancel()
			for range pieces { // until the goroutine has ended
			}
		}()
		beat := time.NewTicker(s.o.Beat)
		defer beat.Stop()
		for t.err == nil {
			select {
			case <-beat.C:
				t.say(": still here\n\n")
			case h, ok := <-pieces:
				if !ok || !yield(h.piece, h.err) {
					return
				}
			}
		}
	}
}
