package messages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"
)

// A MessageID names one CCMessage. Its sender mints it before the first try, so
// that sending twice is sending once.
type MessageID string

// A CCMessage is what one member of the crew says to another.
type CCMessage struct {
	ID        MessageID `json:"id"`
	From      Address   `json:"from_agent"`
	To        Address   `json:"to_agent"`
	Type      Type      `json:"type"`
	Content   string    `json:"content"`
	Thinking  string    `json:"thinking,omitempty"`
	Metadata  Metadata  `json:"metadata"`
	Timestamp time.Time `json:"timestamp"`
	ReplyTo   MessageID `json:"reply_to,omitempty"`
}

func (CCMessage) word() {}

// Metadata travels with a message. TTL is in seconds and counts only while the
// message waits; 0 means that it waits for ever.
type Metadata struct {
	Timestamp     time.Time `json:"timestamp"`
	Priority      Priority  `json:"priority"`
	TaskID        TaskID    `json:"task_id,omitempty"`
	CorrelationID string    `json:"correlation_id,omitempty"`
	RetryCount    int       `json:"retry_count"`
	TTL           int       `json:"ttl,omitempty"`
}

// UnmarshalJSON accepts the tool's argument names "from" and "to" beside the
// document's, and refuses every other unknown field by name.
func (m *CCMessage) UnmarshalJSON(b []byte) error {
	type plain CCMessage
	in := struct {
		*plain
		From Address `json:"from"`
		To   Address `json:"to"`
	}{plain: (*plain)(m)}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return err
	}
	for _, alias := range []struct {
		short, long string
		got         Address
		field       *Address
	}{{"from", "from_agent", in.From, &m.From}, {"to", "to_agent", in.To, &m.To}} {
		switch {
		case alias.got == "":
		case *alias.field == "":
			*alias.field = alias.got
		case *alias.field != alias.got:
			return fmt.Errorf("%q says %q but %q says %q", alias.short, alias.got, alias.long, *alias.field)
		}
	}
	return nil
}

// Size is what the limits count: the bytes of content and thinking.
func (m CCMessage) Size() int { return len(m.Content) + len(m.Thinking) }

// Check says what is wrong with a message before anybody looks at where it
// goes: its type and priority, its size, its ttl, an empty content.
func (m CCMessage) Check(l Limits) error {
	switch {
	case !m.Type.valid():
		return Invalid("type", "%q is no message type", m.Type).Try("use one of " + list(Types()))
	case !m.Metadata.Priority.valid():
		return Invalid("metadata.priority", "%q is no priority", m.Metadata.Priority).Try("use low, normal, high or urgent")
	case m.To == "":
		return Invalid("to", "nobody is named").Try("name a persona, for example middle_manager")
	case m.To == m.From:
		return Invalid("to", "%s would write to itself", m.From).Try("write to somebody else, or just do the work")
	case m.Content == "" && m.Type != TaskComplete && m.Type.Turns():
		return Invalid("content", "the message is empty").Try("say what is to be done")
	case !utf8.ValidString(m.Content):
		return Invalid("content", "the text is not UTF-8").Try("send UTF-8")
	case !utf8.ValidString(m.Thinking):
		return Invalid("thinking", "the text is not UTF-8").Try("send UTF-8")
	case len(m.Content) > l.MessageBytes:
		return TooLarge("content", "message_bytes", len(m.Content), l.MessageBytes)
	case len(m.Thinking) > l.ThinkingBytes:
		return TooLarge("thinking", "thinking_bytes", len(m.Thinking), l.ThinkingBytes)
	case m.Metadata.TTL < 0:
		return Invalid("metadata.ttl", "%d seconds have already passed", m.Metadata.TTL).Try("give a positive number of seconds, or leave it out")
	}
	return nil
}

// Cut shortens text to at most limit bytes at a character border and says so at
// its end. Only what a model produced is cut; what a client sends is refused.
func Cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	mark := fmt.Sprintf("\n[cut: %d bytes in all]", len(text))
	if len(mark) > limit {
		mark = "" // there is no room to say it
	}
	end := max(0, limit-len(mark))
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + mark
}
