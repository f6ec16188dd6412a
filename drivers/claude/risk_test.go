package claude_test

import (
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kurogo/drivers/claude"
	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

const (
	first  = "[from user · task_request]\nThe first piece of work."
	second = "[from user · task_request]\nThe second piece of work."
)

// The risk of the whole design: a turn in which a message was sent is torn by
// kill -9, and given again to another life. What the torn turn staged is the
// journal's to forget; here the new life must not know of it either.
func TestCLIATornTurnIsForgotten(t *testing.T) {
	for name, resumes := range map[string]bool{"at the border": true, "with a fresh session": false} {
		t.Run(name, func(t *testing.T) {
			th := stage(t, claude.Options{},
				modeltest.Turn(modeltest.Who("The first piece"), modeltest.Step{Thinking: "Easy.", Text: "The first is done."}),
				modeltest.Turn(modeltest.Who("The second piece"), sends, says("The second is handed over.")))
			l := th.Begin()
			whole := l.Turn(first)
			if whole.Text != "The first is done." || whole.Session == "" || whole.Border == "" {
				t.Fatalf("end %+v", whole)
			}

			l.Send(second)
			if call := l.Until(messages.DriverToolAsked).Tool; call.Name != "send_message" || !strings.Contains(string(call.Input), "middle_manager") {
				t.Errorf("asked for %+v", call)
			}
			if err := syscall.Kill(l.Session.Pid(), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			if exit := l.Gone(); exit.Class != messages.ClassCrash || exit.Signal != "SIGKILL" {
				t.Errorf("exit %+v", exit)
			}

			want := []string{"user: " + second}
			if resumes {
				l = th.Resume(whole)
				want = []string{"user: " + first, "assistant: The first is done.", "user: " + second}
			} else {
				l = th.Begin()
			}
			before := len(th.Model.Requests())
			if end := l.Turn(second); end.Text != "The second is handed over." || end.Class != messages.ClassNone {
				t.Errorf("end %+v", end)
			}
			asked := 0
			for _, e := range l.Heard {
				if e.Kind == messages.DriverToolAsked {
					asked++
				}
			}
			if asked != 1 {
				t.Errorf("the message was sent %d times", asked)
			}
			remembers(t, th.Model.Requests()[before], want)
		})
	}
}

// remembers wants exactly these turns in the conversation.
func remembers(t *testing.T, r modeltest.Request, want []string) {
	t.Helper()
	if d := cmp.Diff(want, r.Told()); d != "" {
		t.Errorf("the model was told something else (-want +got):\n%s", d)
	}
	for _, m := range r.Messages {
		if len(m.Calls)+len(m.Results) > 0 {
			t.Errorf("the model remembers a tool: %+v", m)
		}
	}
}

// Whoever hears that a turn has ended can rely on it, even if the CLI is killed
// at that moment: the next life remembers the turn.
func TestCLIKilledRightAfterATurn(t *testing.T) {
	th := stage(t, claude.Options{}, modeltest.Turn(modeltest.Anybody, says("Done.")))
	whole := messages.TurnEnd{}
	var want []string
	for range 4 {
		l := th.Resume(whole)
		whole = l.Turn(second)
		if whole.Class != messages.ClassNone {
			t.Fatalf("end %+v", whole)
		}
		_ = syscall.Kill(l.Session.Pid(), syscall.SIGKILL)
		l.Gone()
		want = append(want, "user: "+second)
		remembers(t, th.LastRequest(), want)
		want = append(want, "assistant: Done.")
	}
}
