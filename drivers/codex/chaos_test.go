package codex_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"kurogo/drivers/codex"
	"kurogo/drivers/drivertest"
	"kurogo/messages"
)

// What the exam does not ask of every driver, a codex must survive too.

// modes are the two ways to live.
var modes = map[string]messages.Spec{"app-server": {}, "exec": {OneShot: true}}

const words = "[from user]\nDo it."

func TestTheClassOfAFailedTurn(t *testing.T) {
	for _, c := range []struct {
		message string
		info    string // what only the app-server says
		want    messages.Class
		wait    time.Duration
	}{
		{"unexpected status 401 Unauthorized: bad key, url: x", `{"httpConnectionFailed":{"httpStatusCode":401}}`, messages.ClassAuth, 0},
		{"Not logged in. Run codex login.", `"unauthorized"`, messages.ClassAuth, 0},
		{"Quota exceeded. Check your plan and billing details.", `"usageLimitExceeded"`, messages.ClassAuth, 0},
		{"exceeded retry limit, last status: 429 Too Many Requests", `{"responseTooManyFailedAttempts":{"httpStatusCode":429}}`, messages.ClassRate, 0},
		{"rate limit exceeded: Please try again in 7.5s.", `"rateLimitExceeded"`, messages.ClassRate, 7500 * time.Millisecond},
		{"You've hit your usage limit. Try again in 2 days 3 hours 1 minute.", `"usageLimitExceeded"`, messages.ClassRate, 51*time.Hour + time.Minute},
		{"Selected model is at capacity. Please try a different model.", `"serverOverloaded"`, messages.ClassRate, 0},
		{"We’re currently experiencing high demand, which may cause temporary errors.", `"internalServerError"`, messages.ClassServer, 0},
		{"unexpected status 503 Service Unavailable: x", `{"httpConnectionFailed":{"httpStatusCode":503}}`, messages.ClassServer, 0},
		{"stream disconnected before completion: error sending request", `"other"`, messages.ClassServer, 0},
		{"stream disconnected", `{"responseStreamDisconnected":{"httpStatusCode":null}}`, messages.ClassServer, 0},
		{"The requested model nope does not exist.", `"other"`, messages.ClassInvalid, 0},
		{"unexpected status 404 Not Found: x", `{"httpConnectionFailed":{"httpStatusCode":404}}`, messages.ClassInvalid, 0},
		{"Codex ran out of room in the model's context window.", `"contextWindowExceeded"`, messages.ClassInvalid, 0},
	} {
		for mode, spec := range modes {
			as := fmt.Sprintf("%s{%q:%q,%q:%s}", says, "message", c.message, "codexErrorInfo", c.info)
			end := begin(t, faked(as, codex.Options{}), spec).Turn(words)
			if end.Class != c.want || end.RetryAfter != c.wait || end.Text != c.message {
				t.Errorf("%s: %q ended with %+v, want %q after %s", mode, c.message, end, c.want, c.wait)
			}
		}
	}
	if class, _ := codex.Failed("whatever", `{"responseStreamDisconnected":{}}`); class != messages.ClassServer {
		t.Errorf("a connection that broke is %q", class)
	}
	if end := begin(t, faked(complains, codex.Options{}), modes["exec"]).Turn(words); end.Class != messages.ClassRate {
		t.Errorf("an error without an end: %+v", end)
	}
}

// Whatever the CLI counts, a turn is billed once; also one that goes on.
func TestWhatATurnUsedIsCountedFromTheLast(t *testing.T) {
	want := messages.Usage{InputTokens: 93, OutputTokens: 20, CachedTokens: 7}
	used := func(l *life) {
		t.Helper()
		if got := l.Last(messages.DriverUsed).Usage; got != want {
			t.Errorf("used %+v, want %+v", got, want)
		}
	}
	l := begin(t, faked(drivertest.Speaks, codex.Options{}), messages.Spec{})
	for range 3 {
		l.Turn(words)
		used(l)
	}
	l = begin(t, faked(drivertest.Speaks, codex.Options{}), messages.Spec{Session: "s", Border: "b@0"})
	l.Turn(words)
	used(l)
	l = begin(t, faked(drivertest.Speaks, codex.Options{}), messages.Spec{OneShot: true, Session: "s", Border: "end@0@300/21/60"})
	if end := l.Turn(words); codex.Borders(end.Border) != end.Border || !strings.HasSuffix(end.Border, "@400/28/80") {
		t.Errorf("the border is %s", end.Border)
	}
	used(l)
}

func TestOneWhoStaysAfterItsInputEndsIsEnded(t *testing.T) {
	l := begin(t, faked(stays, codex.Options{}), messages.Spec{Grace: 50 * time.Millisecond})
	l.Turn(words)
	if exit := l.Session.Stop(t.Context()); exit.Class != messages.ClassKilled || exit.Signal != "SIGKILL" {
		t.Errorf("exit %+v", exit)
	}
}

func TestOneWhoClosesItsOutputIsEnded(t *testing.T) {
	l := begin(t, faked(shuts, codex.Options{}), messages.Spec{})
	l.Send(words)
	if exit := l.Gone(); exit.Class != messages.ClassProtocol {
		t.Errorf("exit %+v", exit)
	}
}

func TestAChildInASessionOfItsOwnGoesToo(t *testing.T) {
	l := begin(t, faked(drivertest.Breeds, codex.Options{}), messages.Spec{})
	l.Turn(words)
	l.Session.Stop(t.Context()) // begin looks whether somebody is left
}

func TestAnAnswerThatComesTooLateHarmsNobody(t *testing.T) {
	drivertest.AnswerLate(t, faked(drivertest.Asks, codex.Options{}))
	l := begin(t, faked(rueful, codex.Options{}), messages.Spec{Tools: []messages.Tool{drivertest.SendMessage}})
	l.Send(words)
	id := l.Until(messages.DriverToolAsked).Tool.ID
	l.Until(messages.DriverThought)
	if err := l.Session.Answer(t.Context(), messages.ToolResult{ID: id}); !messages.IsCode(err, messages.CodeConflict) {
		t.Errorf("a question that was taken back: %v", err)
	}
}

func TestATurnIsInterruptedBeforeTheCLIHasNamedIt(t *testing.T) {
	l := begin(t, faked(slow, codex.Options{}), messages.Spec{})
	l.Until(messages.DriverReady)
	for range 2 {
		l.Send(words)
		if err := l.Session.Interrupt(t.Context()); err != nil {
			t.Fatal(err)
		}
		if end := l.Finish(); end.Class != messages.ClassInterrupted {
			t.Errorf("end %+v", end)
		}
	}
}

func TestTheEndOfAStrangersTurnEndsNothing(t *testing.T) {
	l := begin(t, faked(stray, codex.Options{}), messages.Spec{})
	if end := l.Turn(words); end.Text != drivertest.Last || l.Last(messages.DriverWarned).Text == "" {
		t.Errorf("end %+v, heard %+v", end, l.Heard)
	}
}

func TestWhatItWarnsOf(t *testing.T) {
	for mode, want := range map[string]string{
		"app-server": "There is no bubblewrap.|The model is unknown.|the tools of kurogo are not there: refused|Reconnecting... 1/1|the model a was replaced by b",
		"exec":       "The model is unknown.|Reconnecting... 1/1 (stream disconnected)",
	} {
		l := begin(t, faked(warns, codex.Options{}), modes[mode])
		if end := l.Turn(words); end.Class != messages.ClassNone {
			t.Errorf("%s: end %+v", mode, end)
		}
		var got []string
		for _, e := range l.Heard {
			if e.Kind == messages.DriverWarned {
				got = append(got, e.Text)
			}
		}
		if strings.Join(got, "|") != want || l.Heard[0].Kind != messages.DriverReady {
			t.Errorf("%s: warned %q", mode, got)
		}
	}
}
