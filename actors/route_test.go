package actors_test

import (
	"testing"

	"kurogo/actors"
	"kurogo/messages"
)

// TestRoute: who may write to whom, in turns with and without somebody who
// waits for an answer.
func TestRoute(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, to  messages.Address
		kind      messages.Type
		requester messages.Address
		want      messages.Code // "" = allowed
	}{
		{"user", "boss", messages.TaskRequest, "", ""},
		{"user", "left", messages.TaskRequest, "", messages.CodeDenied},
		{"user", "nobody", messages.TaskRequest, "", messages.CodeNotFound},
		{"boss", "boss", messages.Info, "", messages.CodeInvalid},
		{"boss", "left", messages.TaskRequest, messages.User, ""},
		{"boss", messages.User, messages.TaskComplete, messages.User, ""},
		{"boss", messages.User, messages.TaskComplete, "", messages.CodeDenied},
		{"boss", messages.User, messages.Info, messages.User, messages.CodeDenied},
		{"boss", messages.User, messages.Progress, messages.User, ""},
		{"left", messages.User, messages.Progress, "boss", messages.CodeDenied},
		{"right", "left", messages.Info, "boss", messages.CodeDenied},
		{"right", "left", messages.TaskComplete, "left", ""}, // whoever asked may be answered
		{"right", "left", messages.Info, "left", ""},
		{"right", "left", messages.TaskRequest, "left", messages.CodeDenied}, // but not asked
		{"left", "right", messages.TaskFailed, "boss", messages.CodeDenied},
	} {
		err := actors.Route(crew, messages.CCMessage{From: c.from, To: c.to, Type: c.kind}, c.requester)
		var got messages.Code
		if err != nil {
			got = messages.AsError(err).Code
		}
		if got != c.want {
			t.Errorf("%s > %s: %s (for %q): got %q, want %q: %v", c.from, c.to, c.kind, c.requester, got, c.want, err)
		}
	}
}
