package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kurogo/messages"
)

const badConfig = plotConfig + `
[roles.sleeper]
driver = "rehearsal"
system_prompt = "play"
[roles.singer]
driver = "rehearsal"
system_prompt = "play"
[roles.nobody]
driver = "nobody"
system_prompt = "play"
[drivers.nobody]
kind = "command"
command = "there-is-no-such-program"
[roles.spy]
driver = "spy"
model = "m"
system_prompt = "play"
[drivers.spy]
kind = "cursor"
command = %q
args = ["spy"]
env = { CURSOR_API_KEY = "no key", GORACE = "atexit_sleep_ms=0" }
`

// A lair is a house with somebody in every state that can be asked for wrongly.
type lair struct {
	*theatre
	status                  messages.Status
	owner, agent            string           // tokens: the owner's, the spy's
	group, foreign, deleted messages.GroupID // the sleeper's, the spy's, the singer's
	sleeper, spy, singer    messages.AgentID
}

func newLair(t *testing.T) *lair {
	t.Helper()
	l := &lair{theatre: newTheatre(t)}
	for file, text := range map[string]string{"kurogo.toml": fmt.Sprintf(badConfig, testBinary(t), testBinary(t)), "play.toml": plotPlay} {
		if err := os.WriteFile(filepath.Join(l.project, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := l.serve()
	t.Cleanup(func() {
		l.run("stop")
		o.endedWell()
		eventually(t, "every process is gone", func() bool { return len(traces(l.home)) == 0 })
	})
	l.status, l.owner = must[messages.Status](l.theatre, messages.GetStatus{}), strings.TrimSpace(l.run("token"))
	eventually(t, "the roles are known", func() bool { return must[messages.Roles](l.theatre, messages.ListRoles{}).Checking == 0 })
	l.group, l.sleeper = l.hire("sleeper")
	l.foreign, l.spy = l.hire("spy")
	l.deleted, l.singer = l.hire("singer")
	eventually(t, "the singer ends", func() bool { return l.look(l.singer).Outcome != "" })
	must[messages.Group](l.theatre, messages.DeleteGroup{Group: l.deleted})
	eventually(t, "the spy has told", func() bool {
		var entry struct {
			MCPServers struct {
				Kurogo struct{ Headers map[string]string }
			}
		}
		_ = json.Unmarshal([]byte(l.look(l.spy).Run.Last), &entry) // what it has not said yet is empty
		l.agent = strings.TrimPrefix(entry.MCPServers.Kurogo.Headers["Authorization"], "Bearer ")
		return l.agent != ""
	})
	eventually(t, "the sleeper sleeps", func() bool { return l.look(l.sleeper).Run.Last == "asleep" })
	return l
}

func (l *lair) hire(role string) (messages.GroupID, messages.AgentID) {
	l.Helper()
	g := must[messages.Group](l.theatre, messages.CreateGroup{Description: role})
	a := must[messages.Agents](l.theatre, messages.RunAgents{Group: g.ID, Stages: [][]messages.Order{{{Role: role, Prompt: role}}}})
	return g.ID, a.Agents[0].ID
}

func (l *lair) look(id messages.AgentID) messages.AgentDetail {
	l.Helper()
	return must[messages.AgentDetail](l.theatre, messages.GetAgent{Agent: id})
}

// endedWell wants the owner to have stopped in order.
func (o *owner) endedWell() {
	o.Helper()
	<-o.ended
	if !o.cmd.ProcessState.Success() {
		o.Errorf("the owner ended with %s", o.cmd.ProcessState)
	}
}
