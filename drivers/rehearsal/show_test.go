package rehearsal_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kurogo/drivers/rehearsal"
	"kurogo/messages"
)

// uses is a tool at work, from its beginning to its end.
func uses(id, tool, input string) []string {
	return []string{
		fmt.Sprintf(`{"type":"tool_started","turn":"t1","id":%q,"name":%q,"input":%s}`, id, tool, input),
		fmt.Sprintf(`{"type":"tool_ended","turn":"t1","id":%q,"name":%q}`, id, tool),
	}
}

func changes(path, how string) string {
	return fmt.Sprintf(`{"type":"changed","turn":"t1","path":%q,"change":%q}`, path, how)
}

func write(path, content string) messages.Line {
	return messages.Line{Write: &messages.Prop{Path: path, Content: content}}
}

func TestAFileIsCreatedOrEdited(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "old.md"), []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	th := open(t, dir, rehearsal.Effects{}, messages.Scene{Lines: []messages.Line{
		write("old.md", "after"), write("new/one.md", "1"), write("new/one.md", "2"), {Say: "so"},
	}})
	th.turn(1, "it")
	th.hears(uses("t1/1", "Write", `{"path":"old.md"}`)...)
	th.hears(changes("old.md", "edited"))
	th.hears(uses("t1/2", "Write", `{"path":"new/one.md"}`)...)
	th.hears(changes("new/one.md", "created"))
	th.hears(uses("t1/3", "Write", `{"path":"new/one.md"}`)...)
	th.hears(changes("new/one.md", "edited"), says("so"), ends("so", ""))
	for name, want := range map[string]string{"old.md": "after", "new/one.md": "2"} {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != want {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
}

func TestAGestureIsShownAndDoesNothing(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ args, input string }{
		{"", `{}`},
		{"a \"b\".txt", `{"path":"a \"b\".txt"}`},
		{"{\n  \"pattern\": \"*.go\"\n}", `{"pattern":"*.go"}`},
		{"[1]", `{"path":"[1]"}`},
		{"{x", `{"path":"{x"}`},
	} {
		th := open(t, dir, rehearsal.Effects{}, messages.Scene{Lines: []messages.Line{{Use: &messages.Gesture{Tool: "Write", Args: c.args}}}})
		th.turn(1, "it")
		th.hears(uses("t1/1", "Write", c.input)...)
		th.hears(ends("", ""))
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("something was done: %v, %v", left, err)
	}
}

// What takes its time can be broken off.
func TestAGestureIsInterrupted(t *testing.T) {
	th := open(t, "", rehearsal.Effects{}, messages.Scene{Lines: []messages.Line{{Use: &messages.Gesture{Tool: "Bash", Wait: time.Hour}}}})
	th.turn(1, "it")
	th.hears(uses("t1/1", "Bash", `{}`)[0])
	th.say(map[string]any{"type": "interrupt", "id": "t1"})
	th.hears(ends("interrupted", "interrupted"))
}

// A turn costs what it was told, and what was made of it.
func TestATurnHasABill(t *testing.T) {
	ask := messages.Cue{To: "b", Type: messages.Info, Content: "x"}
	for name, c := range map[string]struct {
		lines   []messages.Line
		in, out int
	}{
		"nothing":   {[]messages.Line{{Babble: "{}\n"}}, 6, 0},
		"a word":    {say("12345"), 6, 5},
		"a thought": {[]messages.Line{{Think: "123456789"}}, 6, 9},
		"a failure": {[]messages.Line{{Say: "1"}, {Fail: "no"}}, 6, 1},
		"a file":    {[]messages.Line{write("a", strings.Repeat("x", 100))}, 6, len(`{"path":"a"}`) + 100},
		"a message": {[]messages.Line{{Send: &ask}}, 6 + len("accepted"), len(`{"to":"b","type":"info","content":"x"}`)},
	} {
		t.Run(name, func(t *testing.T) {
			th := open(t, t.TempDir(), rehearsal.Effects{}, messages.Scene{Lines: c.lines})
			th.turn(1, "it") // as the prompt "prompt"
			line := th.line()
			for ; !strings.HasPrefix(line, bill); line = th.line() {
				if strings.Contains(line, `"tool_call"`) {
					th.say(map[string]any{"type": "tool_result", "id": "t1/1", "text": "accepted"})
				}
			}
			want := fmt.Sprintf(`{"type":"used","turn":"t1","input_tokens":%d`, (c.in+3)/4)
			if c.out > 0 {
				want += fmt.Sprintf(`,"output_tokens":%d`, (c.out+3)/4)
			}
			if line != want+"}" {
				t.Errorf("got %s, want %s}", line, want)
			}
			th.end()
		})
	}
}
