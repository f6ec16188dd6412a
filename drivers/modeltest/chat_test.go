package modeltest_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"kurogo/drivers/modeltest"
)

// chat asks as a client of Ollama or of chat completions does.
func chat(t *testing.T, ctx context.Context, s *modeltest.Server, path, body string) (*http.Response, string, error) { //nolint:revive // the test comes first
	t.Helper()
	method := http.MethodPost
	if body == "" {
		method = http.MethodGet
	}
	return send(t, ctx, method, s.URL+path, body)
}

const (
	ollama      = "/api/chat"
	completions = "/v1/chat/completions"
)

// conversation is a request in which a tool was used once.
func conversation(more string) string {
	return `{"model":"m","messages":[{"role":"system","content":"You are the BOSS."},{"role":"user","content":"old"},{"role":"assistant","content":"old"},
		{"role":"user","content":"work"},{"role":"assistant","content":"","tool_calls":[{"function":{"name":"send_message","arguments":{}}}]},
		{"role":"tool","content":"accepted"},{"role":"user","content":"[kurogo: again] no"}],
		"tools":[{"type":"function","function":{"name":"send_message"}}]` + more + `}`
}

func TestChatsAreScriptedByTheSameRules(t *testing.T) {
	for path, c := range map[string]struct{ more, kind, calls, failure, thought, end string }{
		ollama: {
			`,"format":{"type":"object"}`, "application/x-ndjson", `"arguments":{"a":"b"}`, `{"error":"slow down"}`, `"thinking":"hm"`, `"done":true`,
		},
		completions: {
			`,"stream":true,"response_format":{"type":"json_schema","json_schema":{"schema":{"type":"object"}}}`, "text/event-stream",
			`"arguments":"{\"a\":\"b\"}"`, `data: {"error":{"code":"rate_limit_exceeded","message":"slow down"}}`, `"reasoning_content":"hm"`, "data: [DONE]",
		},
	} {
		s := modeltest.New(t)
		s.Add(
			modeltest.Queue(modeltest.Anybody, modeltest.Step{Status: 429, RetryAfter: 3}, modeltest.Step{Failure: "rate_limit_exceeded", Message: "slow down"}),
			modeltest.Turn(modeltest.Who("work"), modeltest.Step{Text: "never"},
				modeltest.Step{Text: "never"},
				modeltest.Step{Thinking: "hm", Text: "I say 何か in more than one piece.", Repeat: 2, Noise: "noise\n", Tools: []modeltest.Tool{{Name: "send_message", Input: map[string]string{"a": "b"}}}}),
		)
		// Each message of the model since the user spoke is a step.
		body := strings.Replace(conversation(c.more), `{"role":"tool"`, `{"role":"assistant","content":"hm"},{"role":"tool"`, 1)
		for i, want := range [][]string{{"scripted 429"}, {c.failure}, {c.thought, "何か", c.calls, c.end, "noise\n"}} {
			res, got, err := chat(t, t.Context(), s, path, body)
			if err != nil || (res.StatusCode == 429) != (i == 0) || (res.Header.Get("Retry-After") == "3") != (i == 0) {
				t.Fatalf("%s %d: %+v, %v", path, i, res, err)
			}
			if kind := res.Header.Get("Content-Type"); i > 0 && kind != c.kind {
				t.Errorf("%s: it is %q", path, kind)
			}
			for _, w := range want {
				if !strings.Contains(got, w) {
					t.Errorf("%s %d: no %s in %s", path, i, w, got)
				}
			}
		}
		r := s.Requests()[0]
		if r.Turn() != "work" || r.Step() != 2 || r.System != "You are the BOSS." || r.Model != "m" || string(r.Schema) != `{"type":"object"}` || r.Whole || !slices.Equal(r.Tools, []string{"send_message"}) {
			t.Errorf("%s: kept %+v", path, r)
		}
		last := r.Messages[len(r.Messages)-1]
		if !slices.Equal(last.Results, []string{"accepted", "[kurogo: again] no"}) {
			t.Errorf("%s: results %q", path, last.Results)
		}
	}
}

func TestAChatInOnePiece(t *testing.T) {
	s := modeltest.New(t)
	s.Add(modeltest.Turn(modeltest.Anybody, modeltest.Hermes("hm", "a < b", modeltest.Tool{Name: "x", Input: map[string]int{"n": 1}})))
	for path, more := range map[string]string{ollama: `,"stream":false`, completions: ""} {
		res, body, err := chat(t, t.Context(), s, path, conversation(more))
		if err != nil || res.Header.Get("Content-Type") != "application/json" || strings.Count(body, "\n") != 1 ||
			!strings.Contains(body, `{\"thought\":\"hm\",\"tool_calls\":[{\"name\":\"x\",\"parameters\":{\"n\":1}}],\"final_answer\":\"a \u003c b\"}`) {
			t.Errorf("%s: %s, %v", path, body, err)
		}
	}
}

func TestWhatThereIsToChatWith(t *testing.T) {
	s := modeltest.New(t)
	for path, want := range map[string]string{
		"/api/tags": `{"models":[{"name":"scripted"}]}`, "/v1/models": `{"data":[{"id":"scripted"}]}`, "/api/version": `{"version":"0.0.0-scripted"}`,
	} {
		if _, body, err := chat(t, t.Context(), s, path, ""); err != nil || strings.TrimSpace(body) != want {
			t.Errorf("%s: %s, %v", path, body, err)
		}
	}
	s.Have("a", "b")
	if _, body, err := chat(t, t.Context(), s, "/v1/models", ""); err != nil || !strings.Contains(body, `{"id":"b"}`) {
		t.Errorf("%s, %v", body, err)
	}
}

func TestAChatMayBreakAndHangAndNeverEnd(t *testing.T) {
	s := modeltest.New(t)
	steps := map[string]modeltest.Step{
		"break": {Text: "half of it all", Cut: true}, "hang": {Hang: true}, "late": {Delay: 1 << 40}, "endless": {Text: "x", Repeat: -1}, "slow": {Text: "x", Repeat: -1, Drip: 1 << 40},
	}
	for name, step := range steps {
		s.Add(modeltest.Turn(modeltest.Who(name), step))
	}
	for _, path := range []string{ollama, completions} {
		for name := range steps {
			ctx, cancel := context.WithCancel(t.Context())
			body := `{"stream":true,"messages":[{"role":"user","content":"` + name + path + `"}]}`
			if name != "break" {
				go func() {
					s.Await(ctx.Done(), modeltest.Who(name+path))
					cancel()
				}()
			}
			if _, got, err := chat(t, ctx, s, path, body); err == nil {
				t.Errorf("%s %s: it ended with %s", path, name, got)
			}
			cancel()
		}
	}
}
