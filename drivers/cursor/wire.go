package cursor

import (
	"bytes"
	"encoding/json"
	"strings"
)

// An event is a line of the CLI. One type serves all kinds of line; fields that
// no kind of line of ours uses are not here.
type event struct {
	Type      string          `json:"type"`
	Subtype   string          `json:"subtype"`
	SessionID string          `json:"session_id"`
	Message   speech          `json:"message"`       // assistant
	ModelCall string          `json:"model_call_id"` // assistant: the repeat of a passage
	Stamp     json.RawMessage `json:"timestamp_ms"`  // assistant: a piece of a passage
	Text      string          `json:"text"`          // thinking

	// tool_call
	CallID   string                     `json:"call_id"`
	ToolCall map[string]json.RawMessage `json:"tool_call"`

	// result
	IsError bool            `json:"is_error"`
	Result  string          `json:"result"`
	Usage   json.RawMessage `json:"usage"`
}

// A speech is the message of an assistant event.
type speech struct {
	Content content `json:"content"`
}

func (s speech) text() string {
	var b strings.Builder
	for _, part := range s.Content {
		if part.Type == "text" {
			b.WriteString(part.Text)
		}
	}
	return b.String()
}

// A part is one piece of a speech.
type part struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// content is a list of parts, or one text.
type content []part

// UnmarshalJSON implements json.Unmarshaler.
func (c *content) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		*c = content{{Type: "text"}}
		return json.Unmarshal(b, &(*c)[0].Text)
	}
	return json.Unmarshal(b, (*[]part)(c))
}

// A use is what a tool was given and what came of it.
type use struct {
	Args   json.RawMessage `json:"args"`
	Result struct {
		Success  json.RawMessage `json:"success"`
		Rejected *struct {
			Reason string `json:"reason"`
		} `json:"rejected"`
	} `json:"result"`
}

// A function is a tool that is not the CLI's own.
type function struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// usage is what the last line says of it where it says it. What the fields are
// called is not written anywhere: both manners are taken.
type usage struct {
	Input  int64 `json:"inputTokens"`
	Output int64 `json:"outputTokens"`
	Cached int64 `json:"cacheReadTokens"`

	SnakeInput  int64 `json:"input_tokens"`
	SnakeOutput int64 `json:"output_tokens"`
	SnakeCached int64 `json:"cache_read_input_tokens"`
}

// path is the file that a JSON object names, "" if it names none.
func path(object json.RawMessage) string {
	var named struct {
		Path string `json:"path"`
	}
	_ = json.Unmarshal(object, &named) // what is no object names nothing
	return named.Path
}

// given reports whether a field is there and holds something.
func given(field json.RawMessage) bool {
	field = bytes.TrimSpace(field)
	return len(field) > 0 && !bytes.Equal(field, []byte("null"))
}
