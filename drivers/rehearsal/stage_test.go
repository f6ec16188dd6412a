package rehearsal_test

import (
	"testing"

	"kurogo/drivers/rehearsal"
	"kurogo/messages"
)

func TestAPartIsPlayedByWhomItNames(t *testing.T) {
	for _, c := range []struct {
		part, who messages.Address
		want      bool
	}{
		{"", "agent:impl-code-1739487600-a3f2", true},
		{"grand_boss", "grand_boss", true},
		{"grand_boss", "middle_manager", false},
		{"agent:x-1-abcd", "agent:x-1-abcd", true},
		{"role:impl-code", "agent:impl-code-1739487600-a3f2", true},
		{"role:impl-code", "agent:impl-code-1739487600-a3f2b4c6", true},
		{"role:impl-code", "agent:impl-code", true},
		{"role:impl", "agent:impl-code-1739487600-a3f2", false},
		{"role:impl-code", "agent:impl-code-2-1739487600-a3f2", false},
		{"role:impl-code-2", "agent:impl-code-2-1739487600-a3f2", true},
		{"role:a-1-beef", "agent:a-1-beef-1739487600-a3f2", true},
		{"role:a", "agent:a-1-beef-1739487600-a3f2", false},
		{"role:impl-code", "agent:impl-code-0-health", true},
		{"role:*", "agent:anything-1739487600-a3f2", true},
		{"role:*", "grand_boss", false},
		{"role:grand_boss", "grand_boss", false},
		{"impl-code", "agent:impl-code-1739487600-a3f2", false},
	} {
		if got := rehearsal.Plays(c.part, c.who); got != c.want {
			t.Errorf("%q is played by %q: %t", c.part, c.who, got)
		}
	}
}
