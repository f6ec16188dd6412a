package actors_test

import (
	"testing"
	"time"

	"kurogo/actors"
)

// TestBackoff: 1 s, 2 s, 4 s … as the document has it, never over the maximum,
// and the maximum at once when the tries are used up.
func TestBackoff(t *testing.T) {
	t.Parallel()
	b := actors.Backoff{Initial: time.Second, Max: time.Minute, Factor: 2, Tries: 5}
	want := []time.Duration{0, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, time.Minute, time.Minute}
	for failures, d := range want {
		if got := b.Delay(failures); got != d {
			t.Errorf("after %d failures: %s, want %s", failures, got, d)
		}
	}
	b.Tries = 0
	if got := b.Delay(1000); got != time.Minute {
		t.Errorf("after 1000 failures without a limit of tries: %s", got)
	}
	b.Jitter = 0.2
	different := false
	for range 1000 {
		got := b.Delay(3)
		if got < 3200*time.Millisecond || got > 4800*time.Millisecond {
			t.Fatalf("4 s ± 20 %%: %s", got)
		}
		different = different || got != b.Delay(3)
	}
	if !different {
		t.Error("a crew that fell together rises together")
	}
}
