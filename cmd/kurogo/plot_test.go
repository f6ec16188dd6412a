package main_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"kurogo/messages"
)

// fates is what becomes of an agent of each role, if nobody meddles.
var fates = map[string]messages.AgentStatus{
	"carver":   messages.AgentCompleted, // says so and reports files
	"singer":   messages.AgentCompleted,
	"babbler":  messages.AgentCompleted, // amidst much that is no word
	"breeder":  messages.AgentCompleted, // and leaves children behind
	"grafter":  messages.AgentCompleted, // in a worktree of its own
	"grumbler": messages.AgentFailed,    // says so
	"faller":   messages.AgentFailed,    // without a word
	"deaf":     messages.AgentTimedOut,  // and hears nothing but SIGKILL
	"struck":   messages.AgentFailed,    // sleeps until we kill it
	"called":   messages.AgentCancelled, // sleeps until we call it off
}

// deck is how often each role is dealt.
var deck = []string{
	"carver", "carver", "carver", "carver", "singer", "singer", "singer", "babbler", "babbler", "breeder", "breeder",
	"grumbler", "grumbler", "faller", "faller", "struck", "struck", "called", "called", "grafter", "deaf",
}

const plotConfig = `language = "en"
driver = "rehearsal"
health_check = "off"
[server]
listen = "127.0.0.1:0"
mcp_websocket_listen = "127.0.0.1:0"
[limits]
max_concurrent = 10
[drivers.rehearsal]
performance = "play.toml"
[drivers.breeder]
kind = "command"
command = %q
args = ["breeder"]
env = { GORACE = "atexit_sleep_ms=0" }
`

const plotPlay = `
[[scene]]
who = "role:carver"
[[scene.line]]
think = "of wood"
[[scene.line]]
wait = "20ms"
babble = '''
{"type":"tool_call","id":"r","name":"report_result","input":{"status":"success","summary":"carved","editedFiles":["old.go"],"createdFiles":["new.go"]}}
'''
[[scene.line]]
wait = "200ms"
say = "carved: {{content}}"

[[scene]]
who = "role:singer"
[[scene.line]]
wait = "400ms"
say = "sung: {{content}}"

[[scene]]
who = "role:babbler"
[[scene.line]]
babble = "no JSON at all\n[1,2]\n\u0001\n{\"type\":7}\n{\"type\":\"unheard-of\"}\n\n"
[[scene.line]]
wait = "30ms"
say = "babbled: {{content}}"

[[scene]]
who = "role:grafter"
[[scene.line]]
write = { path = "graft.txt", content = "grafted\n" }
[[scene.line]]
wait = "30ms"
say = "grafted: {{content}}"

[[scene]]
who = "role:grumbler"
[[scene.line]]
wait = "20ms"
fail = "no luck with {{content}}"

[[scene]]
who = "role:faller"
[[scene.line]]
say = "I fall"
[[scene.line]]
wait = "10ms"
crash = 3

[[scene]]
who = "role:deaf"
[[scene.line]]
hang = true

[[scene]]
who = "role:*"
[[scene.line]]
say = "asleep"
[[scene.line]]
wait = "1h"
say = "awake"
`

// writePlot makes a project in which every fate can be played. It is a git
// repository, for those who want a worktree.
func writePlot(t *testing.T, project string) {
	t.Helper()
	text := fmt.Sprintf(plotConfig, testBinary(t))
	for role := range fates {
		driver, isolation := "rehearsal", messages.IsolationNone
		switch role {
		case "breeder":
			driver = "breeder"
		case "grafter":
			isolation = messages.IsolationWorktree
		}
		text += fmt.Sprintf("[roles.%s]\ndriver = %q\nsystem_prompt = \"play\"\nisolation = %q\n", role, driver, isolation)
	}
	for file, text := range map[string]string{"kurogo.toml": text, "play.toml": plotPlay} {
		if err := os.WriteFile(filepath.Join(project, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-q", "-m", "first"}} {
		git(t, project, args...)
	}
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.com"}, args...)...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v: %s", args, err, out)
	}
	return string(out)
}

func testBinary(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return self
}

// A piece is what is ordered at once.
type piece struct {
	group  int
	stages [][]*player
}

// A player is one agent as we planned it. Its prompt is like no other's: by that
// it is known before it has an id.
type player struct {
	messages.Order
	number       int
	piece        *piece
	stage        int
	queued       bool // it is to be called off as soon as it is accepted
	running      bool // it is to be called off once it runs
	hit          bool // it is to be killed when it is seen
	id           messages.AgentID
	killed       bool                 // by us
	told         messages.AgentStatus // what its cancelling was answered
	asleep       bool                 // it has said so
	began, ended int64                // the numbers of the events
}

// shapes are the pieces that there always are: sequences of so many, and more
// than there are slots.
var shapes = [][]int{{3, 3, 3, 3}, {1, 6}, {12}}

// plot deals n agents, at least those of the shapes, to pieces in several groups.
func plot(n int, random *rand.Rand) (pieces []*piece) {
	var roles []string
	for len(roles) < n {
		roles = append(roles, deck...)
	}
	roles = roles[:n]
	random.Shuffle(n, func(i, j int) { roles[i], roles[j] = roles[j], roles[i] })
	number := 0
	deal := func(group int, sizes ...int) {
		w := &piece{group: group}
		for stage, size := range sizes {
			w.stages = append(w.stages, nil)
			for range size {
				if number == n {
					break
				}
				p := &player{Order: messages.Order{Role: roles[number], Prompt: fmt.Sprintf("work %d.", number)}, number: number, piece: w, stage: stage}
				if p.Role == "deaf" {
					p.Timeout = time.Second
				}
				switch die := random.IntN(20); {
				case die == 0:
					p.queued = true
				case die == 1 || p.Role == "called":
					p.running = true
				case die == 2 || p.Role == "struck":
					p.hit = true
				}
				w.stages[stage] = append(w.stages[stage], p)
				number++
			}
		}
		pieces = append(pieces, w)
	}
	for group, sizes := range shapes {
		deal(group, sizes...)
	}
	for number < n {
		deal(random.IntN(len(shapes)+2), 4+random.IntN(8))
	}
	return pieces
}

func (w *piece) orders() (out [][]messages.Order) {
	for _, stage := range w.stages {
		out = append(out, nil)
		for _, p := range stage {
			out[len(out)-1] = append(out[len(out)-1], p.Order)
		}
	}
	return out
}
