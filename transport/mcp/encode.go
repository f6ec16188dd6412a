package mcp

import (
	"encoding/json"
	"slices"
	"sync"

	protocol "github.com/mark3labs/mcp-go/mcp"
)

// A toolAnswer is what a tool said, under the id of its call.
type toolAnswer struct {
	id     json.RawMessage
	result *protocol.CallToolResult // structured content, and the same as text
}

// encode appends a message. The answer of a tool is by far the longest thing that
// is said, and JSON already: json.Marshal would read it four times again.
func encode(out []byte, message any) ([]byte, error) {
	a, ok := message.(toolAnswer)
	if !ok {
		raw, err := json.Marshal(message)
		return append(out, raw...), err
	}
	said := a.result.RawStructuredContent
	out = slices.Grow(out, 256+len(a.id)+len(said)*5/2)
	out = append(out, `{"jsonrpc":"2.0","id":`...)
	out = append(out, a.id...)
	out = append(out, `,"result":{`...)
	if a.result.Meta != nil || a.result.ResultType != "" { // since 2026-07-28
		head, err := json.Marshal(protocol.Result{Meta: a.result.Meta, ResultType: a.result.ResultType})
		if err != nil {
			return nil, err
		}
		out = append(out, head[1:len(head)-1]...)
		out = append(out, ',')
	}
	out = append(out, `"content":[{"type":"text","text":`...)
	out = quote(out, said)
	out = append(out, `}],"structuredContent":`...)
	out = append(out, said...)
	return append(out, "}}"...), nil
}

// compact takes out the blanks between the parts of JSON. It is a tool that made
// it, so that it need not be checked as what comes from outside is.
func compact(text []byte) []byte {
	out := make([]byte, 0, len(text))
	inside, escaped := false, false // a text
	for _, c := range text {
		switch {
		case escaped:
			escaped = false
		case c == '"':
			inside = !inside
		case c == '\\':
			escaped = true
		case c <= ' ' && !inside:
			continue
		}
		out = append(out, c)
	}
	return out
}

// quote appends compact JSON as a text of JSON. No control character is left in
// it, so that only two have to be escaped.
func quote(out, text []byte) []byte {
	out = append(out, '"')
	from := 0
	for i, c := range text {
		if c == '"' || c == '\\' {
			out = append(out, text[from:i]...)
			out = append(out, '\\')
			from = i
		}
	}
	return append(append(out, text[from:]...), '"')
}

// sheets are what messages are written on that leave one after the other. They
// are used again: most of what a server throws away is what it has said.
var sheets = sync.Pool{New: func() any { return new([]byte) }}

// largeSheet is thrown away: few messages are that long.
const largeSheet = 64 << 10

func reuse(sheet *[]byte) {
	if cap(*sheet) <= largeSheet {
		sheets.Put(sheet)
	}
}
