package codex_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"kurogo/drivers/codex"
	"kurogo/drivers/drivertest"
	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

// stage makes a theatre. The CLI has a home of its own, and a key that means
// nothing.
func stage(t *testing.T, o codex.Options, rules ...modeltest.Rule) *drivertest.Theatre {
	t.Helper()
	o.Command = drivertest.CLI(t, "codex")
	model := modeltest.New(t)
	model.Add(rules...)
	home := t.TempDir()
	env := map[string]string{"OPENAI_BASE_URL": model.URL + "/v1", "OPENAI_API_KEY": "test-key", "HOME": home}
	maps.Copy(env, o.Env)
	o.Env = env
	if o.MaxRetries == 0 {
		o.MaxRetries = -1
	}
	return &drivertest.Theatre{T: t, Model: model, Driver: codex.New(o), Spec: messages.Spec{
		Agent: "grand_boss", Model: "gpt-fake", SystemPrompt: "You are the GRAND BOSS. 大ボスです。",
		Dir: t.TempDir(), Home: home, Tools: []messages.Tool{drivertest.SendMessage},
	}}
}

const (
	first  = "[from user · task_request]\nThe first piece of work."
	second = "[from user · task_request]\nThe second piece of work."
)

func speaks(text string) modeltest.Step { return modeltest.Step{Text: text} }

func uses(name string, input any) modeltest.Step {
	return modeltest.Step{Tools: []modeltest.Tool{{Name: name, Input: input}}}
}

func shell(command string) modeltest.Step {
	return uses("exec_command", map[string]string{"cmd": command})
}

var sends = uses("send_message", map[string]string{"to": "middle_manager", "content": "Do it."})

// A counter is an MCP server of one tool, which changes something.
type counter struct {
	mu     sync.Mutex
	tokens map[string]int // with which it was asked
	calls  []string       // what its tool was given
}

// mcp serves as much of MCP over HTTP as a client needs.
func mcp(t *testing.T) (*counter, string) {
	t.Helper()
	c := &counter{tokens: map[string]int{}}
	web := httptest.NewServer(c)
	t.Cleanup(web.Close)
	return c, web.URL + "/mcp"
}

func (c *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Version   string          `json:"protocolVersion"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"params"`
	}
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tokens[r.Header.Get("Authorization")]++
	if len(m.ID) == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	answer := map[string]any{"jsonrpc": "2.0", "id": m.ID}
	switch m.Method {
	case "initialize":
		answer["result"] = map[string]any{
			"protocolVersion": m.Params.Version, "capabilities": map[string]any{"tools": map[string]any{}},
			"serverInfo": map[string]any{"name": "kurogo", "version": "1"},
		}
	case "tools/list":
		tool := drivertest.SendMessage
		tool.Name, tool.Hints = "report_result", &messages.Hints{Destructive: true, OpenWorld: true}
		answer["result"] = map[string]any{"tools": []any{tool}}
	case "tools/call":
		c.calls = append(c.calls, string(m.Params.Arguments))
		answer["result"] = map[string]any{"content": []any{map[string]string{"type": "text", "text": "registered"}}}
	default:
		answer["error"] = map[string]any{"code": -32601, "message": "there is no " + m.Method}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}
