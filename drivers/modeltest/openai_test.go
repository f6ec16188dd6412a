package modeltest_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"kurogo/drivers/modeltest"
)

// answer asks as the Codex CLI does; items are the input behind the developer's
// and the environment's.
func answer(t *testing.T, ctx context.Context, s *modeltest.Server, items ...string) (*http.Response, string, error) { //nolint:revive // the test comes first
	t.Helper()
	all := append([]string{
		`{"type":"message","role":"developer","content":[{"type":"input_text","text":"You are the BOSS."}]}`,
		user("<environment_context>here</environment_context>"),
	}, items...)
	body := `{"model":"m","stream":true,"instructions":"Base.","input":[` + strings.Join(all, ",") + `],
		"text":{"format":{"type":"json_schema","schema":{"type":"object"}}},
		"tools":[{"type":"function","name":"exec_command"},{"type":"web_search"},{"type":"namespace","name":"mcp__kurogo","tools":[{"name":"send_message"}]}]}`
	return send(t, ctx, http.MethodPost, s.URL+"/v1/responses", body)
}

func user(text string) string {
	return `{"type":"message","role":"user","content":[{"type":"input_text","text":"` + text + `"}]}`
}

const (
	said   = `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"I send it."}]}`
	called = `{"type":"function_call","name":"send_message","namespace":"mcp__kurogo","call_id":"1","arguments":"{}"}`
	result = `{"type":"function_call_output","call_id":"1","output":"accepted"}`
	blocks = `{"type":"function_call_output","call_id":"2","output":[{"type":"input_text","text":"also"}]}`
)

func TestResponsesAreScriptedByTheSameRules(t *testing.T) {
	s := modeltest.New(t)
	s.Add(
		modeltest.Queue(modeltest.Who("BOSS"), modeltest.Step{Status: 429, RetryAfter: 3}, modeltest.Step{Failure: "context_length_exceeded"}),
		modeltest.Turn(modeltest.Who("work"),
			modeltest.Step{Thinking: "hm", Text: "I send it.", Tools: []modeltest.Tool{{Name: "mcp__kurogo__send_message", Input: map[string]string{"a": "b"}}}},
			modeltest.Step{Text: "done", Input: 7, Output: 5, Cached: 3}),
	)
	for i, c := range []struct {
		items  []string
		status int
		want   []string
	}{
		{[]string{user("work")}, 429, []string{`"code":"rate_limit_exceeded"`}},
		{[]string{user("work")}, 200, []string{"event: response.failed\ndata: {", `"code":"context_length_exceeded"`}},
		{[]string{user("work")}, 200, []string{
			"event: response.created\ndata: {", `"summary_text"`, `"text":"I send it."`,
			`"name":"send_message","namespace":"mcp__kurogo"`, `"arguments":"{\"a\":\"b\"}"`, "event: response.completed\ndata: {",
		}},
		{[]string{user("work"), said, called, called, result, blocks}, 200, []string{
			`"text":"done"`, `"cached_tokens":3`, `"input_tokens":7`, `"output_tokens":5`, `"total_tokens":12`,
		}},
		{[]string{user("play")}, 200, []string{modeltest.Fallback}},
	} {
		res, body, err := answer(t, t.Context(), s, c.items...)
		if err != nil || res.StatusCode != c.status {
			t.Fatalf("%d: %+v %s, %v", i, res, body, err)
		}
		for _, want := range c.want {
			if !strings.Contains(body, want) {
				t.Errorf("%d: no %s in %s", i, want, body)
			}
		}
		if after := res.Header.Get("Retry-After"); (after == "3") != (c.status == 429) {
			t.Errorf("%d: Retry-After %q", i, after)
		}
	}
	r := s.Requests()[3]
	if r.Turn() != "work" || r.Step() != 1 || r.System != "Base.\nYou are the BOSS." || r.Model != "m" || string(r.Schema) != `{"type":"object"}` {
		t.Errorf("kept %+v", r)
	}
	if want := []string{"exec_command", "mcp__kurogo__send_message"}; !slices.Equal(r.Tools, want) {
		t.Errorf("tools %q, want %q", r.Tools, want)
	}
	if want := []string{"user: work", "assistant: I send it."}; !slices.Equal(r.Told(), want) {
		t.Errorf("told %q, want %q", r.Told(), want)
	}
	last := r.Messages[len(r.Messages)-1]
	if !slices.Equal(last.Results, []string{"accepted", "also"}) || !slices.Equal(r.Messages[2].Calls, []string{"mcp__kurogo__send_message", "mcp__kurogo__send_message"}) {
		t.Errorf("messages %+v", r.Messages)
	}
}

func TestAResponseMayBreakAndHang(t *testing.T) {
	s := modeltest.New(t)
	s.Add(
		modeltest.Turn(modeltest.Who("break"), modeltest.Step{Text: "half", Cut: true}),
		modeltest.Turn(modeltest.Who("hang"), modeltest.Step{Hang: true}),
		modeltest.Turn(modeltest.Who("late"), modeltest.Step{Delay: 1 << 40}),
	)
	if _, body, err := answer(t, t.Context(), s, user("break")); err == nil || !strings.Contains(body, "half") || strings.Contains(body, "response.completed") {
		t.Errorf("%s, %v", body, err)
	}
	for _, turn := range []string{"hang", "late"} {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			s.Await(ctx.Done(), modeltest.Who(turn))
			cancel()
		}()
		if _, _, err := answer(t, ctx, s, user(turn)); err == nil {
			t.Errorf("%s: it ended", turn)
		}
		cancel()
	}
}
