package actors_test

import (
	"maps"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kurogo/messages"
)

// TestRoleCheck: a fresh session is asked who it is before it gets its first
// turn; what it sends meanwhile is refused; one that resumes is not asked again;
// one that gives no answer is no persona.
func TestRoleCheck(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		checked := maps.Clone(crew)
		boss := checked["boss"]
		boss.RoleCheck = true
		checked["boss"] = boss
		s := scenery{crew: checked, play: map[messages.Address][]string{
			"boss": {"hang", "send left info too early; say I am the boss", "say first", "crash", "say second"},
		}}.set(t)
		s.act("ask boss one")
		<-time.After(10 * time.Minute)
		s.act("ask boss two")
		<-time.After(10 * time.Minute)
		out := s.transcript()
		s.close()
		var asked []string
		for _, turn := range s.agents["boss"].given {
			if turn.Messages[0].From == messages.System {
				asked = append(asked, turn.Text)
			}
		}
		if len(asked) != 2 || !strings.Contains(asked[0], "who are you") {
			t.Errorf("asked %d times: %q; want twice, once in vain", len(asked), asked)
		}
		want := "0s     user > boss: task_request \"one\"\n" +
			"3m0s   boss loses attempt 1: no answer to the role check\n" +
			"3m3s   boss > user: task_complete \"first\"\n" +
			"3m3s   boss's task of user: completed\n" +
			"10m0s  user > boss: task_request \"two\"\n" +
			"10m1s  boss loses attempt 1: exit status 1\n" +
			"10m3s  boss > user: task_complete \"second\"\n" +
			"10m3s  boss's task of user: completed\n"
		if out != want {
			t.Errorf("got\n%swant\n%s", out, want)
		}
	})
}
