package drivertest

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"kurogo/messages"
)

// Sound wants events that can be told and written down, whatever the agent said
// that they come of: what a fuzz test asks of every protocol.
func Sound(t *testing.T, events []messages.DriverEvent) {
	t.Helper()
	for _, e := range events {
		said := e.Kind == messages.DriverSaid || e.Kind == messages.DriverThought
		changed := e.Kind == messages.DriverChanged
		failed := e.Kind == messages.DriverTurnEnded && e.End.Class != messages.ClassNone
		switch {
		case e.Kind == "":
			t.Fatalf("an event of no kind: %+v", e)
		case e.Kind == messages.DriverWarned && (e.Text == "" || len(e.Text) > longestWarning):
			t.Fatalf("warned %q", e.Text)
		case said && e.Text == "":
			t.Fatal("nothing was said")
		case failed && e.End.Text == "" || e.End.RetryAfter < 0:
			t.Fatalf("nobody knows why: %+v", e.End)
		case changed != (e.File.Path != "") || changed != (e.File.Kind != ""):
			t.Fatalf("changed %+v", e)
		case len(e.Tool.Input) > 0 && !json.Valid(e.Tool.Input):
			t.Fatalf("input %q", e.Tool.Input)
		case !utf8.ValidString(e.Text) || !utf8.ValidString(e.End.Text):
			t.Fatalf("no text: %+v", e)
		}
	}
}
