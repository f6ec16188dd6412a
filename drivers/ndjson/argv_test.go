package ndjson_test

import (
	"slices"
	"testing"

	"kurogo/drivers/drivertest"
	"kurogo/messages"
)

// What a process was called with is told once, with the first event behind its
// start: readiness of a life of one turn comes before there is a process.
func TestTheArgumentsAreToldOnce(t *testing.T) {
	for _, b := range []drivertest.Behaviour{drivertest.Speaks, drivertest.Leaves} {
		s := began(t, b)
		if err := s.Send(t.Context(), messages.Turn{ID: "t1", Text: "go"}); err != nil {
			t.Fatal(err)
		}
		n, told := 0, 0
		for e := range s.Events() {
			n++
			if e.Argv == nil {
				continue
			}
			told++
			if e.Kind == messages.DriverReady || !slices.Contains(e.Argv, onceVerb) {
				t.Errorf("%s: %s with %q", b, e.Kind, e.Argv)
			}
		}
		if told != 1 {
			t.Errorf("%s: told %d times in %d events", b, told, n)
		}
		s.Stop(t.Context())
	}
}
