package mcp_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	protocol "github.com/mark3labs/mcp-go/mcp"

	"kurogo/transport/mcp"
)

// What a tool says is written as mcp-go would write it, for less.
func TestToolAnswersAreWrittenAsEver(t *testing.T) {
	t.Parallel()
	var meta protocol.Meta
	if err := json.Unmarshal([]byte(`{"io.modelcontextprotocol/serverInfo":{"name":"kurogo","version":"1"}}`), &meta); err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{
		`{}`, `{"text":""}`, `{"text":"a \"word\" and a \\\\ and \\n\\u0000"}`, `{"a":[1,-2.5e3,true,null,{"b":"<黒衣>&\u2028"}]}`, "{\n \"a b\" :\t[ 1 , \"  \\\\\\\" \" ]\r\n}",
	} {
		for name, r := range map[string]protocol.Result{"then": {}, "now": {Meta: &meta, ResultType: protocol.ResultTypeComplete}} {
			for _, id := range []string{`7`, `"x-1"`} {
				got, err := mcp.Write(json.RawMessage(id), r, said)
				if err != nil {
					t.Fatal(err)
				}
				var compact json.RawMessage
				if compact, err = json.Marshal(json.RawMessage(said)); err != nil {
					t.Fatal(err)
				}
				want, err := json.Marshal(protocol.JSONRPCResponse{JSONRPC: "2.0", ID: protocol.NewRequestId(json.RawMessage(id)), Result: &protocol.CallToolResult{
					Result: r, Content: []protocol.Content{protocol.NewTextContent(string(compact))}, RawStructuredContent: compact,
				}})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(opened(t, want), opened(t, got)); diff != "" {
					t.Errorf("%s, %s, %s: (-want +got)\n%s", name, id, said, diff)
				}
			}
		}
	}
}

// opened is a message as a client understands it, with its text read again.
func opened(t *testing.T, message []byte) (m map[string]any) {
	t.Helper()
	if err := json.Unmarshal(message, &m); err != nil {
		t.Fatalf("%s: %v", message, err)
	}
	text := m["result"].(map[string]any)["content"].([]any)[0].(map[string]any)
	var inner any
	if err := json.Unmarshal([]byte(text["text"].(string)), &inner); err != nil {
		t.Fatalf("%s: %v", text["text"], err)
	}
	text["text"] = inner
	return m
}
