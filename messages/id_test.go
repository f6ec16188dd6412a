package messages_test

import (
	"regexp"
	"testing"

	"kurogo/messages"
)

func TestIDsAreUUIDv7AndDiffer(t *testing.T) {
	form := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	seen := map[string]bool{}
	for range 1000 {
		id := messages.NewID()
		if !form.MatchString(id) || seen[id] {
			t.Fatalf("%q is no new id", id)
		}
		seen[id] = true
	}
}
