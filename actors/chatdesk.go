package actors

import (
	"context"
	"strings"
	"unicode/utf8"

	"kurogo/messages"
)

// A ChatDesk takes what people say, and shows what was said.
type ChatDesk struct {
	Journal Journal
	Archive ChatArchive
	Clock   Clock
	Limits  messages.Limits
}

// A ChatArchive reads sessions as people see them.
type ChatArchive interface {
	Sessions(ctx context.Context, q messages.ListSessions) (messages.ChatSessions, error)
	Session(ctx context.Context, q messages.GetSession) (messages.ChatDetail, error)
	SessionLog(ctx context.Context, q messages.GetSessionLog) (messages.SessionLog, error)
	Last() int64 // the newest event
}

// What a session and its name may hold.
const (
	chatWaiting = 32 // messages without an answer
	titleMost   = 200
	keyMost     = 200
)

// Ask answers one request; ok is false when it is nobody's here. Errors are
// *messages.Error.
func (d *ChatDesk) Ask(ctx context.Context, m messages.Message) (answer messages.Message, ok bool, err error) {
	switch m := m.(type) {
	case messages.SendChat:
		answer, err = d.send(ctx, m)
	case messages.OpenSession:
		answer, err = d.open(ctx, m)
	case messages.ListSessions:
		answer, err = d.Archive.Sessions(ctx, m)
	case messages.GetSession:
		answer, err = d.Archive.Session(ctx, m)
	case messages.GetSessionLog:
		answer, err = d.Archive.SessionLog(ctx, m)
	case messages.NameSession:
		answer, err = d.name(ctx, m)
	case messages.DropSession:
		_, err = d.Journal.Commit(ctx, messages.DropChat{Session: m.Session, Now: d.Clock.Now()})
		answer = messages.Done{}
	default:
		return nil, false, nil
	}
	return answer, true, err
}

// send writes down what is said. Where to listen for the answer is known before
// anybody could give it.
func (d *ChatDesk) send(ctx context.Context, m messages.SendChat) (messages.Message, error) {
	if err := checkText("user_input", m.Content, d.Limits.MessageBytes); err != nil {
		return nil, err
	}
	if err := checkKey(m.Key); err != nil {
		return nil, err
	}
	since, fresh := d.Archive.Last(), messages.JobID(messages.NewID())
	out, err := d.Journal.Commit(ctx, messages.SayChat{
		Session: messages.JobID(strings.TrimSpace(string(m.Session))), New: fresh, Message: messages.MessageID(messages.NewID()),
		Content: m.Content, By: m.By.Address(), Key: m.Key, Most: chatWaiting, Now: d.Clock.Now(),
	})
	if err != nil {
		return nil, err
	}
	out.Chat.Since = since
	return out.Chat, nil
}

func (d *ChatDesk) open(ctx context.Context, m messages.OpenSession) (messages.Message, error) {
	if err := checkKey(m.Key); err != nil {
		return nil, err
	}
	out, err := d.Journal.Commit(ctx, messages.OpenChat{Session: messages.JobID(messages.NewID()), By: m.By.Address(), Key: m.Key, Now: d.Clock.Now()})
	return out.Chat.Session, err
}

func (d *ChatDesk) name(ctx context.Context, m messages.NameSession) (messages.Message, error) {
	m.Title = strings.Join(strings.Fields(m.Title), " ")
	switch {
	case m.Title == "":
		return nil, messages.Invalid("title", "it is empty").Try("give the session a name")
	case !utf8.ValidString(m.Title):
		return nil, messages.Invalid("title", "it is not UTF-8").Try("send UTF-8")
	case utf8.RuneCountInString(m.Title) > titleMost:
		return nil, messages.Invalid("title", "%d characters are more than %d", utf8.RuneCountInString(m.Title), titleMost).Try("shorten it")
	}
	out, err := d.Journal.Commit(ctx, messages.NameChat{Session: m.Session, Title: m.Title, Now: d.Clock.Now()})
	return out.Chat.Session, err
}

func checkKey(key string) error {
	if len(key) <= keyMost {
		return nil
	}
	return messages.Invalid("idempotency_key", "%d bytes are more than %d", len(key), keyMost).Try("shorten it, for example to a UUID")
}
