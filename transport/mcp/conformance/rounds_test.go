package conformance_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	protocol "github.com/mark3labs/mcp-go/mcp"

	"kurogo/transport/mcp"
	"kurogo/transport/mcp/conformance"
)

// A tool asks in its answer, and goes on from its state: once, and only from one
// that it gave itself.
func TestAStateThatWasChangedIsRefused(t *testing.T) {
	s := conformance.New(mcp.Options{Version: "fixture"})
	t.Cleanup(s.Close)
	type answer struct {
		Result struct {
			Type    string                     `json:"resultType"`
			Asks    map[string]json.RawMessage `json:"inputRequests"`
			State   string                     `json:"requestState"`
			Content []struct{ Text string }    `json:"content"`
		} `json:"result"`
		Error *struct{ Message string } `json:"error"`
	}
	call := func(able, more string) (a answer) {
		t.Helper()
		raw := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_input_required_result_tampered_state","arguments":{}%s,
			"_meta":{"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientCapabilities":%s}}}`, more, "2026-07-28", able)
		text, err := json.Marshal(s.Protocol().HandleMessage(t.Context(), []byte(raw)))
		if err == nil {
			err = json.Unmarshal(text, &a)
		}
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	const able = `{"elicitation":{}}`
	asked := call(able, "")
	if asked.Result.Type != string(protocol.ResultTypeInputRequired) || asked.Result.Asks["confirm"] == nil || asked.Result.State == "" {
		t.Fatalf("asked %+v", asked)
	}
	if a := call(`{"sampling":{}}`, ""); len(a.Result.Asks) > 0 {
		t.Errorf("asks what the client cannot answer: %+v", a)
	}
	const yes = `,"inputResponses":{"confirm":{"action":"accept","content":{"ok":true}}},"requestState":`
	for state, refused := range map[string]bool{asked.Result.State: false, asked.Result.State + "0": true, "1" + asked.Result.State: true, "7": true, "-1": true, "x": true} {
		a := call(able, yes+fmt.Sprintf("%q", state))
		if refused != (a.Error != nil) || !refused && a.Result.Content[0].Text != "untouched" {
			t.Errorf("from %q: %+v", state, a)
		}
	}
	if a := call(able, `,"inputResponses":{"confirm":7},"requestState":`+fmt.Sprintf("%q", asked.Result.State)); a.Result.Asks["confirm"] == nil {
		t.Errorf("what is no answer is not asked for again: %+v", a)
	}
}

// What does not pass is listed below a reason.
func TestEveryExpectedFailureHasItsReason(t *testing.T) {
	text, err := os.ReadFile("testdata/expected-failures.yml")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), "server:\n")
	seen := map[string]bool{}
	for group := range strings.SplitSeq(strings.TrimSpace(list), "\n\n") {
		reasons, entries := 0, 0
		for line := range strings.Lines(group) {
			line = strings.TrimSpace(line)
			switch entry, ok := strings.CutPrefix(line, "- "); {
			case ok && !seen[entry]:
				seen[entry] = true
				entries++
			case strings.HasPrefix(line, "# ") && entries == 0:
				reasons++
			default:
				t.Errorf("%q is no entry below its reason", line)
			}
		}
		if reasons == 0 || entries == 0 {
			t.Errorf("no reason, or no entry:\n%s", group)
		}
	}
}
