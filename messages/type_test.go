package messages_test

import (
	"testing"
	"time"

	"kurogo/messages"
)

// Which messages cost a turn, and which of them end a task.
func TestWhatATypeDoes(t *testing.T) {
	turns := map[messages.Type]bool{
		messages.TaskRequest: true, messages.TaskResponse: true, messages.TaskComplete: true,
		messages.TaskFailed: true, messages.Info: true, messages.TypeError: true,
		messages.Progress: false, messages.Ping: false, messages.Pong: false, messages.Shutdown: false,
	}
	if len(messages.Types()) != len(turns) {
		t.Errorf("%d types, want %d", len(messages.Types()), len(turns))
	}
	for _, typ := range messages.Types() {
		want, ok := turns[typ]
		if !ok || typ.Turns() != want {
			t.Errorf("%s: turns %v, want %v (known: %v)", typ, typ.Turns(), want, ok)
		}
		if ends := typ == messages.TaskComplete || typ == messages.TaskFailed; typ.Answers() != ends {
			t.Errorf("%s: answers %v", typ, typ.Answers())
		}
	}
}

// The order of an inbox rests on these numbers. The answer to a waiting task
// overtakes a request of the same priority.
func TestBoosts(t *testing.T) {
	for p, want := range map[messages.Priority]time.Duration{
		messages.Low:    0,
		messages.Normal: time.Minute,
		"":              time.Minute,
		messages.High:   5 * time.Minute,
		messages.Urgent: 15 * time.Minute,
	} {
		if got := p.Boost(); got != want {
			t.Errorf("priority %q: boost %v, want %v", p, got, want)
		}
	}
	if messages.ReplyBoost != 2*time.Minute {
		t.Errorf("reply boost %v", messages.ReplyBoost)
	}
}

// A task has exactly one last status, and only four can be it.
func TestFinal(t *testing.T) {
	for s, want := range map[messages.TaskStatus]bool{
		messages.Queued: false, messages.Running: false, messages.Waiting: false,
		messages.Completed: true, messages.Failed: true, messages.Cancelled: true, messages.TimedOut: true,
	} {
		if s.Final() != want {
			t.Errorf("%s: final %v", s, s.Final())
		}
	}
}

func TestALevelIsAsLoudAsItsFloor(t *testing.T) {
	order := []messages.Level{messages.Debug, messages.LogInfo, messages.Warn, messages.LogErr}
	for i, l := range order {
		for j, floor := range order {
			if l.AtLeast(floor) != (i >= j) {
				t.Errorf("%s at least %s: %v", l, floor, l.AtLeast(floor))
			}
		}
	}
	if !messages.Level("loud").AtLeast(messages.LogInfo) || messages.Level("").AtLeast(messages.Warn) {
		t.Error("an unknown level is not info")
	}
}
