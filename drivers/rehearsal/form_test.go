package rehearsal_test

import (
	"os"
	"strings"
	"testing"

	"kurogo/drivers/drivertest"
	"kurogo/messages"
)

// whole is all that a life of one turn tells.
func whole(t *testing.T, b drivertest.Behaviour, spec messages.Spec) []messages.DriverEvent {
	t.Helper()
	spec.OneShot, spec.Life, spec.Dir = true, "rehearsal-test-"+messages.NewID()+":1:actor", t.TempDir()
	s, err := driver(b).Start(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Send(t.Context(), messages.Turn{ID: "turn-1", Attempt: 1, Text: "Do it."}); err != nil {
		t.Fatal(err)
	}
	var all []messages.DriverEvent
	for e := range s.Events() {
		all = append(all, e)
	}
	if left, err := os.ReadDir(spec.Dir); err != nil || len(left) > 0 && spec.ReadOnly {
		t.Errorf("written: %v, %v", left, err)
	}
	return all
}

// Text comes in pieces where that is wanted, each passage before itself.
func TestTextInPieces(t *testing.T) {
	for _, wanted := range []bool{true, false} {
		var pending string
		pieces := 0
		for _, e := range whole(t, drivertest.Speaks, messages.Spec{Deltas: wanted}) {
			switch e.Kind { //nolint:exhaustive // the rest only passes
			case messages.DriverDelta:
				pending += e.Text
				pieces++
			case messages.DriverSaid:
				if wanted && pending != e.Text {
					t.Errorf("%q became %q", pending, e.Text)
				}
				pending = ""
			}
		}
		if wanted && pieces < 3 || !wanted && pieces > 0 {
			t.Errorf("wanted %t: %d pieces", wanted, pieces)
		}
	}
}

func TestWhoMayOnlyLookWritesNothing(t *testing.T) {
	all := whole(t, works, messages.Spec{ReadOnly: true})
	if end := all[len(all)-2]; end.Kind != messages.DriverTurnEnded || end.End.Class != messages.ClassInvalid || !strings.Contains(end.End.Text, "a.txt") {
		t.Errorf("end %+v", end)
	}
}
