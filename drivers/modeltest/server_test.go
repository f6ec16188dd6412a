package modeltest_test

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"kurogo/drivers/modeltest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A client asks as the CLI does; turns are the user's and the model's words, in
// turn, and a word that begins with "=" is what a tool answered.
func ask(t *testing.T, ctx context.Context, s *modeltest.Server, stream string, turns ...string) (int, string, error) { //nolint:revive // the test comes first
	t.Helper()
	var parts []string
	for i, text := range turns {
		role, block := []string{"user", "assistant"}[i%2], `{"type":"text","text":"`+text+`"}`
		if answer, ok := strings.CutPrefix(text, "="); ok {
			block = `{"type":"tool_result","tool_use_id":"1","content":[{"type":"text","text":"` + answer + `"}]}`
		}
		parts = append(parts, `{"role":"`+role+`","content":[`+block+`]}`)
	}
	body := `{"model":"m","stream":` + stream + `,"system":[{"type":"text","text":"You are the BOSS."}],"tools":[{"name":"Bash"}],"messages":[` + strings.Join(parts, ",") + `]}`
	res, answer, err := send(t, ctx, http.MethodPost, s.URL+"/v1/messages?beta=true", body)
	if res == nil {
		return 0, "", err
	}
	return res.StatusCode, answer, err
}

// send makes a request and reads its answer to the end.
func send(t *testing.T, ctx context.Context, method, url, body string) (*http.Response, string, error) { //nolint:revive // the test comes first
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer http.DefaultClient.CloseIdleConnections()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	return res, string(b), err
}

func TestTheFirstRuleThatKnowsDecides(t *testing.T) {
	s := modeltest.New(t)
	s.Add(
		modeltest.Queue(modeltest.Who("nobody"), modeltest.Step{Text: "never"}),
		modeltest.Queue(modeltest.Who("BOSS"), modeltest.Times(2, modeltest.Step{Status: 529, RetryAfter: 3})...),
		modeltest.Turn(modeltest.Who("work"), modeltest.Step{Thinking: "hm", Tools: []modeltest.Tool{{Name: "Bash", Input: map[string]string{"a": "b"}}}}, modeltest.Step{Text: "done"}),
	)
	for i, c := range []struct {
		turns  []string
		status int
		want   string
	}{
		{[]string{"work"}, 529, "overloaded_error"},
		{[]string{"work"}, 529, "overloaded_error"},
		{[]string{"work"}, 200, `{\"a\":\"b\"}`},
		{[]string{"work", "", "=result"}, 200, "done"},
		{[]string{"work", "", "=result", "", "=result"}, 200, "done"},
		{[]string{"play"}, 200, modeltest.Fallback},
	} {
		status, body, err := ask(t, t.Context(), s, "true", c.turns...)
		if err != nil || status != c.status || !strings.Contains(body, c.want) {
			t.Errorf("%d: %d %s, %v", i, status, body, err)
		}
		if status == 200 && !strings.Contains(body, "event: message_start\ndata: {") {
			t.Errorf("%d: %s", i, body)
		}
	}
	r := s.Requests()[3]
	if r.Turn() != "work" || r.Step() != 1 || r.System != "You are the BOSS." || r.Model != "m" || !slices.Equal(r.Tools, []string{"Bash"}) {
		t.Errorf("kept %+v", r)
	}
	if got := r.Messages[2].Results; !slices.Equal(got, []string{"result"}) {
		t.Errorf("results %q", got)
	}
}

func TestAnAnswerInOnePiece(t *testing.T) {
	s := modeltest.New(t)
	s.Add(modeltest.Turn(modeltest.Anybody, modeltest.Step{Thinking: "hm", Text: "done", Tools: []modeltest.Tool{{Name: "Bash"}}}))
	_, body, err := ask(t, t.Context(), s, "false", "work")
	if err != nil || !strings.Contains(body, `"stop_reason":"tool_use"`) || !strings.Contains(body, `"text":"done"`) {
		t.Errorf("%s, %v", body, err)
	}
}

func TestAStreamMayBreakAndHang(t *testing.T) {
	s := modeltest.New(t)
	s.Add(
		modeltest.Turn(modeltest.Who("break"), modeltest.Step{Text: "half", Cut: true}),
		modeltest.Turn(modeltest.Who("hang"), modeltest.Step{Hang: true}),
		modeltest.Turn(modeltest.Who("late"), modeltest.Step{Delay: 1 << 40}),
	)
	if _, body, err := ask(t, t.Context(), s, "true", "break"); err == nil || !strings.Contains(body, "half") {
		t.Errorf("%s, %v", body, err)
	}
	for _, turn := range []string{"hang", "late"} {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			s.Await(ctx.Done(), modeltest.Who(turn))
			cancel()
		}()
		if _, _, err := ask(t, ctx, s, "true", turn); err == nil {
			t.Errorf("%s: it ended", turn)
		}
	}
	if _, ok := s.Await(canceled(), modeltest.Who("never")); ok {
		t.Error("somebody asked for it")
	}
}

func canceled() <-chan struct{} {
	done := make(chan struct{})
	close(done)
	return done
}
