package main_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"kurogo/messages"
)

// A way leads to our tools. knock says one JSON-RPC message and hears the
// answer.
type way struct {
	name  string
	rest  bool
	knock func(message string) ([]byte, error)
	calls int
}

// ways opens every way there is to a house: as the owner, or as an agent with
// its token, for whom there is none by pipe.
func (th *theatre) ways(s messages.Status, token string, agent bool) []*way {
	th.Helper()
	all := []*way{
		th.byHTTP("http://"+s.HTTP+"/mcp", token),
		th.bySocket("ws://"+s.HTTP+"/mcp", token),
		th.bySocket("ws://"+s.WebSocket+"/mcp", token), // which tells errors by their numbers
		{name: "REST", rest: true},
	}
	if !agent {
		all = append(all, th.byPipe())
	}
	for _, d := range all {
		if d.rest {
			d.knock = th.byREST("http://"+s.HTTP, token)
			continue
		}
		if _, err := d.rpc("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`); err != nil {
			th.Fatalf("%s: %v", d.name, err)
		}
	}
	return all
}

// byPipe is what a client on this machine starts.
func (th *theatre) byPipe() *way {
	th.Helper()
	c := th.kurogo("mcp")
	in, err := c.StdinPipe()
	if err != nil {
		th.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		th.Fatal(err)
	}
	if err := c.Start(); err != nil {
		th.Fatal(err)
	}
	th.Cleanup(func() {
		_ = in.Close()
		if err := c.Wait(); err != nil {
			th.Errorf("kurogo mcp: %v", err)
		}
	})
	lines := bufio.NewReader(out)
	return &way{name: "the pipe", knock: func(message string) ([]byte, error) {
		if _, err := io.WriteString(in, message+"\n"); err != nil {
			return nil, err
		}
		return lines.ReadBytes('\n')
	}}
}

func (th *theatre) byHTTP(address, token string) *way {
	session := ""
	return &way{name: "HTTP", knock: func(message string) ([]byte, error) {
		r, err := http.NewRequest(http.MethodPost, address, strings.NewReader(message))
		if err != nil {
			return nil, err
		}
		r.Header.Set("Accept", "application/json, text/event-stream")
		if session != "" {
			r.Header.Set("Mcp-Session-Id", session)
		}
		answer, header, err := send(r, token)
		if id := header.Get("Mcp-Session-Id"); id != "" {
			session = id
		}
		if strings.HasPrefix(header.Get("Content-Type"), "text/event-stream") {
			_, answer, _ = bytes.Cut(answer, []byte("data: "))
			answer, _, _ = bytes.Cut(answer, []byte("\n"))
		}
		return answer, err
	}}
}

// send sends a request with a token, on a connection of its own.
func send(r *http.Request, token string) ([]byte, http.Header, error) {
	r.Close = true
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if r.Body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	answer.Header.Set("Status", answer.Status)
	return body, answer.Header, err
}

func (th *theatre) bySocket(address, token string) *way {
	th.Helper()
	ws, answer, err := websocket.DefaultDialer.Dial(address, http.Header{"Authorization": {"Bearer " + token}})
	if err != nil {
		th.Fatalf("%s: %v: %+v", address, err, answer)
	}
	th.Cleanup(func() { _ = ws.Close() })
	return &way{name: address, knock: func(message string) ([]byte, error) {
		if err := ws.WriteMessage(websocket.TextMessage, []byte(message)); err != nil {
			return nil, err
		}
		_, raw, err := ws.ReadMessage()
		return raw, err
	}}
}

// rpc asks by JSON-RPC. A refusal that is a JSON-RPC error is an error here.
func (d *way) rpc(method, params string) (json.RawMessage, error) {
	d.calls++
	raw, err := d.knock(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, d.calls, method, params))
	if err != nil {
		return nil, err
	}
	var answer struct {
		ID     int
		Result json.RawMessage
		Error  *struct {
			Message string
			Data    struct{ Code, Field, Remedy string }
		}
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, fmt.Errorf("%w: %.200s", err, raw)
	}
	switch {
	case answer.Error != nil:
		e := answer.Error
		return nil, wordOf(e.Message, e.Data.Code, e.Data.Field, e.Data.Remedy)
	case answer.ID != d.calls:
		return nil, fmt.Errorf("the answer is for %d, not %d", answer.ID, d.calls)
	}
	return answer.Result, nil
}

// wordOf takes an error apart that was told as a sentence with its data beside it.
func wordOf(sentence, code, field, remedy string) error {
	e := &messages.Error{Code: messages.Code(code), Field: field, Remedy: remedy}
	head, tail, _ := strings.Cut(e.Error(), ". Remedy: ")
	if tail != "" {
		tail = ". Remedy: " + tail
	}
	if !strings.HasPrefix(sentence, head) || !strings.HasSuffix(sentence, tail) || code == "" {
		return fmt.Errorf("the sentence %q does not say what its data do: %q %q %q", sentence, code, field, remedy)
	}
	e.Message = strings.TrimSuffix(strings.TrimPrefix(sentence, head), tail)
	return e
}

// use calls a tool. can is false where that cannot be said this way.
func (d *way) use(tool, args string) (answer json.RawMessage, can bool, err error) {
	if d.rest {
		message, ok := restful(tool, args)
		if !ok {
			return nil, false, nil
		}
		answer, err := d.knock(message)
		return answer, true, err
	}
	raw, err := d.rpc("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, args))
	if err != nil {
		return nil, true, err
	}
	var result struct {
		IsError           bool
		Content           []struct{ Text string }
		StructuredContent json.RawMessage
		Meta              map[string]struct{ Code, Field, Remedy string } `json:"_meta"`
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return nil, true, fmt.Errorf("%w: %.200s", err, raw)
	}
	if !result.IsError {
		return result.StructuredContent, true, nil
	}
	e := result.Meta["kurogo/error"]
	return nil, true, wordOf(result.Content[0].Text, e.Code, e.Field, e.Remedy)
}

// tools are those that a way tells of, by name, with the arguments that they
// take.
func (d *way) tools(t *testing.T) map[string]schema {
	t.Helper()
	raw, err := d.rpc("tools/list", "{}")
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Tools []struct {
			Name        string
			InputSchema schema
		}
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	out := map[string]schema{}
	for _, tool := range list.Tools {
		out[tool.Name] = tool.InputSchema
	}
	return out
}

// A schema is what a client can know of arguments.
type schema struct {
	Type       string
	Properties map[string]schema
	Required   []string
	MaxLength  int
}
