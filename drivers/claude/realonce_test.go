package claude_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kurogo/drivers/claude"
	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

// A life of one turn has its personality, does its work, tells which files it
// wrote, and leaves by itself.
func TestCLIALifeOfOneTurn(t *testing.T) {
	th := stage(t, claude.Options{Permission: "Write,Edit"}).Once()
	fresh, other := filepath.Join(th.Spec.Dir, "fresh.txt"), filepath.Join(th.Spec.Dir, "other.txt")
	th.Model.Add(modeltest.Turn(modeltest.Anybody,
		uses("Write", map[string]string{"file_path": fresh, "content": "x"}),
		uses("Edit", map[string]string{"file_path": fresh, "old_string": "x", "new_string": "y"}),
		uses("Bash", map[string]string{"command": "rm -rf " + other}),
		modeltest.Step{Thinking: "Hm.", Text: "Done."}))
	th.Spec.SystemPrompt += strings.Repeat("Be strict. ", 20_000)
	th.Spec.Raw = true
	l := th.Begin()
	end := l.Turn("/clear\n@/etc/passwd")
	if end.Class != messages.ClassNone || end.Text != "Done." || end.Session == "" {
		t.Errorf("end %+v", end)
	}
	var files []messages.FileChange
	raw := 0
	for _, e := range l.Heard {
		switch e.Kind { //nolint:exhaustive // the rest is heard elsewhere
		case messages.DriverChanged:
			files = append(files, e.File)
		case messages.DriverRaw:
			raw++
		}
	}
	if d := cmp.Diff([]messages.FileChange{{Path: fresh, Kind: messages.FileCreated}, {Path: fresh, Kind: messages.FileEdited}}, files); d != "" || raw < 8 {
		t.Errorf("%s, %d lines", d, raw)
	}
	if l.Last(messages.DriverThought).Text != "Hm." || l.Last(messages.DriverUsed).Usage.CostMicros <= 0 || !strings.Contains(l.Last(messages.DriverWarned).Text, "Bash") {
		t.Errorf("heard %+v", l.Heard)
	}
	if exit := l.Gone(); exit.Class != messages.ClassNone || exit.Code != 0 || exit.Signal != "" {
		t.Errorf("exit %+v", exit)
	}
	r := th.LastRequest()
	if !r.Says(th.Spec.SystemPrompt) || strings.Contains(string(r.Body), "root:x:0") || slices.Contains(r.Tools, "mcp__kurogo__send_message") {
		t.Errorf("the model was asked with %q", r.Tools)
	}
}

func TestCLIALifeOfOneTurnMayUseEverything(t *testing.T) {
	th := stage(t, claude.Options{Permission: claude.Allow}).Once()
	prop := filepath.Join(th.Spec.Dir, "prop.txt")
	th.Model.Add(modeltest.Turn(modeltest.Anybody, uses("Bash", map[string]string{"command": "echo x > " + prop}), uses("Read", map[string]string{"file_path": prop}), says("Done.")))
	l := th.Begin()
	if end := l.Turn(first); end.Text != "Done." || l.Last(messages.DriverWarned).Text != "" {
		t.Errorf("end %+v, warned %q", end, l.Last(messages.DriverWarned).Text)
	}
	if got := th.LastRequest(); !strings.Contains(strings.Join(got.Messages[len(got.Messages)-1].Results, ""), "x") {
		t.Errorf("it read %q", got.Messages)
	}
}

func TestCLIALifeOfOneTurnThatFails(t *testing.T) {
	for name, c := range map[string]struct {
		step modeltest.Step
		want messages.Class
	}{
		"401": {modeltest.Step{Status: 401}, messages.ClassAuth},
		"529": {modeltest.Step{Status: 529}, messages.ClassRate},
		"500": {modeltest.Step{Status: 500}, messages.ClassServer},
	} {
		th := stage(t, claude.Options{MaxRetries: -1}, modeltest.Turn(modeltest.Anybody, c.step)).Once()
		l := th.Begin()
		if end := l.Turn(first); end.Class != c.want || end.Text == "" {
			t.Errorf("%s: end %+v", name, end)
		}
		if exit := l.Gone(); exit.Class != c.want {
			t.Errorf("%s: exit %+v", name, exit)
		}
	}
}

// A turn that has cost its cap is asked for nothing more.
func TestCLIACapEndsTheTurn(t *testing.T) {
	dear := sends
	dear.Tools = []modeltest.Tool{{Name: "Read", Input: map[string]string{"file_path": "/etc/hostname"}}}
	dear.Input, dear.Output = 1000, 100_000 // half a dollar
	th := stage(t, claude.Options{}, modeltest.Turn(modeltest.Anybody, dear)).Once()
	if caps, err := th.Driver.Probe(t.Context()); err != nil || !caps.HardCap || !caps.MCP {
		t.Errorf("%+v, %v", caps, err)
	}
	th.Spec.Cap = 600_000
	l := th.Begin()
	if end := l.Turn(first); end.Class != messages.ClassInvalid || !strings.Contains(end.Text, "budget") {
		t.Errorf("end %+v", end)
	}
	if n := len(th.Model.Requests()); n != 2 {
		t.Errorf("the model was asked %d times", n)
	}
	if got := l.Last(messages.DriverUsed).Usage.CostMicros; got < th.Spec.Cap {
		t.Errorf("it cost %d", got)
	}
}

// What a session has cost before counts for no cap.
func TestCLIACapCountsThisTurn(t *testing.T) {
	th := stage(t, claude.Options{}, modeltest.Turn(modeltest.Anybody, modeltest.Step{Text: "Good.", Input: 1000, Output: 100_000})).Once()
	th.Spec.Cap = 600_000
	l := th.Begin()
	end := l.Turn(first)
	l.Gone()
	if again := th.Resume(end).Turn(second); end.Class != messages.ClassNone || again.Class != messages.ClassNone {
		t.Errorf("end %+v, again %+v", end, again)
	}
}

// Our MCP server is found under its name, with the token of this life.
func TestCLIOurToolsByMCP(t *testing.T) {
	for name, once := range map[string]bool{"one turn": true, "many turns": false} {
		t.Run(name, func(t *testing.T) {
			desk := &desk{}
			web := httptest.NewServer(desk)
			t.Cleanup(web.Close)
			th := stage(t, claude.Options{}, modeltest.Turn(modeltest.Anybody, uses("mcp__kurogo__report_result", map[string]string{"agentId": "a-1"}), says("Reported.")))
			th.Spec.Tools, th.Spec.OneShot = nil, once
			th.Spec.MCP = messages.MCPServer{URL: web.URL + "/mcp", Token: "token-of-this-life"}
			l := th.Begin()
			if end := l.Turn(first); end.Text != "Reported." {
				t.Errorf("end %+v", end)
			}
			if got := l.Last(messages.DriverToolEnded).Tool.Name; got != "mcp__kurogo__report_result" {
				t.Errorf("it used %q", got)
			}
			desk.mu.Lock()
			defer desk.mu.Unlock()
			if d := cmp.Diff([]string{`{"agentId":"a-1"}`}, desk.calls); d != "" {
				t.Error(d)
			}
			if len(desk.tokens) != 1 || desk.tokens[0] != "Bearer token-of-this-life" {
				t.Errorf("it came with %q", desk.tokens)
			}
		})
	}
}

// A desk is the smallest MCP server with one tool.
type desk struct {
	mu     sync.Mutex
	tokens []string // that were shown, each once
	calls  []string
}

func (d *desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if token := r.Header.Get("Authorization"); !slices.Contains(d.tokens, token) {
		d.tokens = append(d.tokens, token)
	}
	var call struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Version   string `json:"protocolVersion"`
			Arguments json.RawMessage
		}
	}
	if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&call) != nil {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	answer := map[string]any{"jsonrpc": "2.0", "id": call.ID}
	switch call.Method {
	case "initialize":
		answer["result"] = map[string]any{"protocolVersion": call.Params.Version, "capabilities": map[string]any{"tools": map[string]any{}}, "serverInfo": map[string]string{"name": "kurogo", "version": "1"}}
	case "tools/list":
		answer["result"] = map[string]any{"tools": []any{map[string]any{"name": "report_result", "description": "Report.", "inputSchema": map[string]string{"type": "object"}}}}
	case "tools/call":
		d.calls = append(d.calls, string(call.Params.Arguments))
		answer["result"] = map[string]any{"content": []any{map[string]string{"type": "text", "text": "registered"}}}
	default:
		answer["error"] = map[string]any{"code": -32601, "message": "unknown"}
	}
	if len(call.ID) == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}
