package modeltest

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// events writes server-sent events as Anthropic and OpenAI's Responses do. The
// name of each stands before its data: without it a client hears nothing.
type events struct{ w http.ResponseWriter }

func (e events) event(kind string, fields map[string]any) {
	fields["type"] = kind
	data, _ := json.Marshal(fields) // maps of plain values
	_, _ = fmt.Fprintf(e.w, "event: %s\ndata: %s\n\n", kind, data)
}

func (e events) flush() { _ = http.NewResponseController(e.w).Flush() }
