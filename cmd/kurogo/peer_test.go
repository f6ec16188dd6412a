package main_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"kurogo/messages"
)

// A peer is a client of the TypeScript SDK on a WebSocket: a process that does
// what it is told, all at once.
type peer struct {
	in   io.WriteCloser
	gone chan struct{} // closed when its process has nothing more to say

	mu    sync.Mutex
	last  int
	heard map[int]chan heard
	wrong string // that it said
}

// heard is what came of something: progress first, then result or error.
type heard struct {
	ID       int            `json:"id"`
	Progress map[string]any `json:"progress"`
	Result   map[string]any `json:"result"`
	Error    *struct {
		Code    int            `json:"code"`
		Message string         `json:"message"`
		Data    map[string]any `json:"data"`
	} `json:"error"`
}

// connect begins a peer, and gives what came of its handshake.
func connect(t *testing.T, th *theatre, address, token string) (*peer, heard) {
	t.Helper()
	sdk := npm(t, "@modelcontextprotocol/sdk")
	script, err := filepath.Abs("testdata/mcp/websocket.mjs")
	if err != nil {
		t.Fatal(err)
	}
	to := url.URL{Scheme: "ws", Host: address, Path: "/mcp", RawQuery: url.Values{"token": {token}}.Encode()}
	c := npmScript{sdk.node, script}.command(th, sdk.path, to.String())
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	c.Stderr = &told
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	p := &peer{in: in, gone: make(chan struct{}), heard: map[int]chan heard{0: make(chan heard, 1)}}
	go p.listen(out)
	t.Cleanup(func() {
		_ = in.Close()
		select {
		case <-p.gone:
		case <-time.After(patience):
			_ = c.Process.Kill()
			<-p.gone
		}
		if err := c.Wait(); err != nil || told.Len() > 0 {
			t.Errorf("the client ended with %v: %s", err, told.String())
		}
	})
	return p, p.end(t, 0)
}

// words bounds what may be heard of one thing that nobody asks about.
const words = 1024

func (p *peer) listen(out io.Reader) {
	defer close(p.gone)
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var h heard
		err = json.Unmarshal(line, &h)
		p.mu.Lock()
		to := p.heard[h.ID]
		if err != nil || to == nil {
			p.wrong = string(line)
			p.mu.Unlock()
			return
		}
		p.mu.Unlock()
		to <- h
	}
}

// tell has it do something, and gives the number of that.
func (p *peer) tell(t *testing.T, what map[string]any) int {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last++
	what["id"] = p.last
	p.heard[p.last] = make(chan heard, words)
	p.write(t, what)
	return p.last
}

func (p *peer) write(t *testing.T, what map[string]any) {
	t.Helper()
	line, err := json.Marshal(what)
	if err == nil {
		_, err = p.in.Write(append(line, '\n'))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// use begins a call.
func (p *peer) use(t *testing.T, tool, input string) int {
	t.Helper()
	return p.tell(t, map[string]any{"tool": tool, "arguments": json.RawMessage(input)})
}

// next is the next that is heard of something.
func (p *peer) next(t *testing.T, id int) heard {
	t.Helper()
	p.mu.Lock()
	from := p.heard[id]
	p.mu.Unlock()
	select {
	case h := <-from:
		return h
	case <-p.gone:
	case <-time.After(patience):
	}
	select {
	case h := <-from:
		return h
	default:
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	t.Fatalf("nothing is heard of %d: %s", id, p.wrong)
	return heard{}
}

// end is how something ended.
func (p *peer) end(t *testing.T, id int) heard {
	t.Helper()
	for {
		if h := p.next(t, id); h.Progress == nil {
			return h
		}
	}
}

// call is a [visitor] of an address that tells errors as results.
func (p *peer) call(t *testing.T, tool string, input json.RawMessage) (any, messages.Code) {
	t.Helper()
	h := p.end(t, p.use(t, tool, string(input)))
	if h.Error != nil {
		t.Fatalf("%s %s: %+v", tool, input, *h.Error)
	}
	meta, _ := h.Result["_meta"].(map[string]any)
	return h.Result["structuredContent"], messages.Code(at(meta["kurogo/error"], "code"))
}

// legacy is a [visitor] of an address that tells errors by numbers.
func (p *peer) legacy(t *testing.T, tool string, input json.RawMessage) (any, messages.Code) {
	t.Helper()
	h := p.end(t, p.use(t, tool, string(input)))
	if h.Error != nil {
		code := messages.Code(at(h.Error.Data, "code"))
		if h.Error.Code != code.RPC() {
			t.Errorf("%s %s: %+v, want %d", tool, input, *h.Error, code.RPC())
		}
		return h.Error.Message, code
	}
	return h.Result["structuredContent"], ""
}

// must is the answer of a tool that has one.
func (p *peer) must(t *testing.T, tool, input string) map[string]any {
	t.Helper()
	h := p.end(t, p.use(t, tool, input))
	if h.Error != nil || h.Result["isError"] == true {
		t.Fatalf("%s %s: %+v", tool, input, h)
	}
	answer, _ := h.Result["structuredContent"].(map[string]any)
	return answer
}
