package messages_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"kurogo/messages"
)

// The names of the document and those of the tool's arguments mean the same;
// both at once must agree.
func TestFromAndToHaveTwoNames(t *testing.T) {
	for _, story := range []struct {
		says     string
		from, to messages.Address
		refused  string
	}{
		{says: `{"from_agent":"a","to_agent":"b"}`, from: "a", to: "b"},
		{says: `{"from":"a","to":"b"}`, from: "a", to: "b"},
		{says: `{"from":"a","from_agent":"a","to_agent":"b"}`, from: "a", to: "b"},
		{says: `{"from":"a","from_agent":"c"}`, refused: `"from" says "a" but "from_agent" says "c"`},
		{says: `{"to":"a","to_agent":"c"}`, refused: `"to" says "a" but "to_agent" says "c"`},
		{says: `{"sender":"a"}`, refused: "sender"},
	} {
		var m messages.CCMessage
		err := json.Unmarshal([]byte(story.says), &m)
		switch {
		case story.refused != "":
			if err == nil || !strings.Contains(err.Error(), story.refused) {
				t.Errorf("%s: %v, want %q", story.says, err, story.refused)
			}
		case err != nil || m.From != story.from || m.To != story.to:
			t.Errorf("%s: from %q to %q, %v", story.says, m.From, m.To, err)
		}
	}
	out, err := json.Marshal(messages.CCMessage{From: "a", To: "b"})
	if err != nil || !strings.Contains(string(out), `"from_agent":"a","to_agent":"b"`) {
		t.Errorf("we say %s, %v", out, err)
	}
}

// Each thing that can be wrong with a message is refused by the name of its
// field, and a limit by its own name: one byte more, and not one byte less.
func TestCheckRefusesByName(t *testing.T) {
	limits := messages.DefaultLimits()
	limits.MessageBytes, limits.ThinkingBytes = 100, 10
	for name, story := range map[string]struct {
		change  func(*messages.CCMessage)
		field   string
		mention string
	}{
		"all is well":              {func(*messages.CCMessage) {}, "", ""},
		"no priority is normal":    {func(m *messages.CCMessage) { m.Metadata.Priority = "" }, "", ""},
		"an unknown type":          {func(m *messages.CCMessage) { m.Type = "song" }, "type", "task_request"},
		"no type":                  {func(m *messages.CCMessage) { m.Type = "" }, "type", "is no message type"},
		"an unknown priority":      {func(m *messages.CCMessage) { m.Metadata.Priority = "asap" }, "metadata.priority", "urgent"},
		"nobody":                   {func(m *messages.CCMessage) { m.To = "" }, "to", "nobody"},
		"oneself":                  {func(m *messages.CCMessage) { m.To = m.From }, "to", "itself"},
		"nothing":                  {func(m *messages.CCMessage) { m.Content = "" }, "content", "empty"},
		"a task done without word": {func(m *messages.CCMessage) { m.Content, m.Type = "", messages.TaskComplete }, "", ""},
		"an empty ping":            {func(m *messages.CCMessage) { m.Content, m.Type = "", messages.Ping }, "", ""},
		"content at the limit":     {func(m *messages.CCMessage) { m.Content = strings.Repeat("x", 100) }, "", ""},
		"content over the limit":   {func(m *messages.CCMessage) { m.Content = strings.Repeat("x", 101) }, "content", "message_bytes = 100"},
		"thinking at the limit":    {func(m *messages.CCMessage) { m.Thinking = strings.Repeat("x", 10) }, "", ""},
		"thinking over the limit":  {func(m *messages.CCMessage) { m.Thinking = strings.Repeat("x", 11) }, "thinking", "thinking_bytes = 10"},
		"content that is no text":  {func(m *messages.CCMessage) { m.Content = "\xff" }, "content", "UTF-8"},
		"thinking that is no text": {func(m *messages.CCMessage) { m.Thinking = "\xff" }, "thinking", "UTF-8"},
		"a ttl in the past":        {func(m *messages.CCMessage) { m.Metadata.TTL = -1 }, "metadata.ttl", "-1 seconds"},
	} {
		m := messages.CCMessage{From: "grand_boss", To: "middle_manager", Type: messages.TaskRequest, Content: "build it"}
		story.change(&m)
		err := m.Check(limits)
		if story.field == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		e := messages.AsError(err)
		if e == nil || e.Code != messages.CodeInvalid || e.Field != story.field || e.Remedy == "" || !strings.Contains(e.Error(), story.mention) {
			t.Errorf("%s: %v, want invalid, field %s, and %q", name, e, story.field, story.mention)
		}
	}
}

// Cut keeps whole characters, stays within the limit and says what is missing.
func TestCut(t *testing.T) {
	long := strings.Repeat("黒", 100)
	for _, story := range []struct {
		text  string
		limit int
		want  string
	}{
		{"short", 5, "short"},
		{long, 300, long},
		{long, 30, "黒黒\n[cut: 300 bytes in all]"},
		{long, 10, "黒黒黒"},
		{long, 0, ""},
	} {
		if got := messages.Cut(story.text, story.limit); got != story.want {
			t.Errorf("cut at %d: %q, want %q", story.limit, got, story.want)
		}
	}
	for limit := range 300 {
		if got := messages.Cut(long, limit); len(got) > limit || !utf8.ValidString(got) {
			t.Fatalf("cut at %d: %d bytes, %q", limit, len(got), got)
		}
	}
}

func TestSizeCountsWhatTheLimitsCount(t *testing.T) {
	if n := (messages.CCMessage{Content: "黒衣", Thinking: "hm"}).Size(); n != 8 {
		t.Errorf("size %d, want 8", n)
	}
}
