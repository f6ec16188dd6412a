package rehearsal_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kurogo/drivers/rehearsal"
	"kurogo/messages"
)

// A theatre is a player in this process and the two pipes to it.
type theatre struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *bufio.Scanner
	done chan error
}

func open(t *testing.T, dir string, e rehearsal.Effects, scenes ...messages.Scene) *theatre {
	t.Helper()
	return openFor(t, map[string]any{"dir": dir}, e, scenes...)
}

// openFor says hello with more than the usual.
func openFor(t *testing.T, hello map[string]any, e rehearsal.Effects, scenes ...messages.Scene) *theatre {
	t.Helper()
	in, ourIn := io.Pipe()
	ourOut, out := io.Pipe()
	th := &theatre{t: t, in: ourIn, out: bufio.NewScanner(ourOut), done: make(chan error, 1)}
	go func() {
		err := rehearsal.Play(in, out, messages.Performance{Scenes: scenes}, e)
		_, _ = in.CloseWithError(io.ErrClosedPipe), out.Close()
		th.done <- err
	}()
	t.Cleanup(func() { _, _ = ourIn.Close(), ourOut.Close() })
	maps.Copy(hello, map[string]any{"type": "hello", "agent": "actor", "session": "s1"})
	th.say(hello)
	th.hears(`{"type":"ready"}`)
	return th
}

func (th *theatre) say(v any) {
	th.t.Helper()
	line, err := json.Marshal(v)
	if err != nil {
		th.t.Fatal(err)
	}
	if _, err := th.in.Write(append(line, '\n')); err != nil {
		th.t.Fatal(err)
	}
}

func (th *theatre) turn(attempt int, contents ...string) {
	th.t.Helper()
	var in []messages.CCMessage
	for _, c := range contents {
		in = append(in, messages.CCMessage{ID: "m", From: "user", To: "actor", Type: messages.TaskRequest, Content: c})
	}
	th.say(map[string]any{"type": "turn", "id": "t1", "attempt": attempt, "messages": in, "text": "prompt"})
}

// hears reads one line for each that it wants; a bill comes unasked.
func (th *theatre) hears(want ...string) {
	th.t.Helper()
	for _, w := range want {
		got := th.line()
		for strings.HasPrefix(got, bill) && !strings.HasPrefix(w, bill) {
			got = th.line()
		}
		if got != w {
			th.t.Fatal(cmp.Diff(w, got))
		}
	}
}

const bill = `{"type":"used"`

func (th *theatre) line() string {
	th.t.Helper()
	if !th.out.Scan() {
		th.t.Fatal("the player fell silent")
	}
	return th.out.Text()
}

// end is the end of the turn, whatever comes before.
func (th *theatre) end() string {
	th.t.Helper()
	for {
		if line := th.line(); strings.Contains(line, `"type":"turn_end"`) {
			return line
		}
	}
}

func ends(text, class string) string {
	out := `{"type":"turn_end","turn":"t1"`
	if text != "" {
		out += `,"text":"` + text + `"`
	}
	if class != "" {
		out += `,"class":"` + class + `"`
	}
	return out + `,"session":"s1","border":"t1"}`
}

func says(text string) string { return `{"type":"text","turn":"t1","text":"` + text + `"}` }

func say(text string) []messages.Line { return []messages.Line{{Say: text}} }

func TestTheFirstSceneThatFitsIsPlayed(t *testing.T) {
	th := open(t, "", rehearsal.Effects{},
		messages.Scene{Who: "somebody", Lines: say("wrong actor")},
		messages.Scene{On: messages.Info, Lines: say("wrong type")},
		messages.Scene{From: "grand_boss", Lines: say("wrong sender")},
		messages.Scene{Match: "^b.*\nc$", Lines: say("matched")},
		messages.Scene{Who: "actor", On: messages.TaskRequest, From: "user", Attempt: 2, Lines: say("again: {{content}}")},
		messages.Scene{Match: "^a$", Lines: say("once: {{content}}")},
	)
	for _, turn := range []struct {
		attempt  int
		contents []string
		want     string
	}{
		{1, []string{"a"}, "once: a"},
		{2, []string{"a"}, "again: a"},
		{1, []string{"b", "c"}, "matched"},
		{1, []string{strings.Repeat("長", 100)}, "(rehearsal) actor has no scene for: " + strings.Repeat("長", 80)},
		{1, nil, "(rehearsal) actor has no scene for: prompt"},
	} {
		th.turn(turn.attempt, turn.contents...)
		th.hears(says(turn.want), ends(turn.want, ""))
	}
	_ = th.in.Close()
	if err := <-th.done; err != nil {
		t.Errorf("the end of the input is no error: %v", err)
	}
}

func TestAnActorSendsAnswersAndWrites(t *testing.T) {
	dir := t.TempDir()
	th := open(t, dir, rehearsal.Effects{}, messages.Scene{Lines: []messages.Line{
		{Think: "hm"},
		{Send: &messages.Cue{To: "boss", Type: messages.Info, Content: "about {{content}}", Thinking: "why", Priority: messages.High, TTL: 9}},
		{Send: &messages.Cue{To: "user", Type: messages.Info, Content: "x", Expect: messages.CodeDenied}},
		{Write: &messages.Prop{Path: "a/b/c.md", Content: "# C\n"}},
		{Answer: "done: {{content}}"},
	}})
	th.turn(1, "it")
	th.hears(`{"type":"thinking","turn":"t1","text":"hm"}`,
		`{"type":"tool_call","turn":"t1","id":"t1/1","name":"send_message","input":{"to":"boss","type":"info","content":"about it","thinking":"why","metadata":{"priority":"high","ttl":9}}}`)
	th.say(map[string]any{"type": "tool_result", "id": "of another turn", "text": "late", "is_error": true})
	th.say(map[string]any{"type": "tool_result", "id": "t1/1", "text": "accepted"})
	th.hears(`{"type":"tool_call","turn":"t1","id":"t1/2","name":"send_message","input":{"to":"user","type":"info","content":"x"}}`)
	th.say(map[string]any{"type": "tool_result", "id": "t1/2", "text": "denied: no", "is_error": true})
	th.hears(uses("t1/3", "Write", `{"path":"a/b/c.md"}`)...)
	th.hears(changes("a/b/c.md", "created"),
		`{"type":"tool_call","turn":"t1","id":"t1/4","name":"send_message","input":{"to":"user","type":"task_complete","content":"done: it"}}`)
	th.say(map[string]any{"type": "tool_result", "id": "t1/4", "text": "accepted"})
	th.hears(ends("done: it", ""))
	if b, err := os.ReadFile(filepath.Join(dir, "a/b/c.md")); err != nil || string(b) != "# C\n" {
		t.Errorf("%q, %v", b, err)
	}
}

func TestATurnThatDoesNotGoAsWrittenFails(t *testing.T) {
	send := func(expect messages.Code) messages.Line {
		return messages.Line{Send: &messages.Cue{To: "boss", Type: messages.Info, Content: "x", Expect: expect}}
	}
	for name, c := range map[string]struct {
		line    messages.Line
		text    string
		isError bool
		want    string
	}{
		"refused":              {send(""), "busy: later", true, "the message to boss was refused: busy: later"},
		"accepted by mistake":  {send(messages.CodeDenied), "accepted", false, "the message to boss should have been refused as denied, but the answer was: accepted"},
		"refused as something": {send(messages.CodeDenied), "busy: later", true, "the message to boss should have been refused as denied, but the answer was: busy: later"},
		"failed on purpose":    {messages.Line{Fail: "no: {{content}}"}, "", false, "no: it"},
	} {
		t.Run(name, func(t *testing.T) {
			th := open(t, "", rehearsal.Effects{}, messages.Scene{Lines: []messages.Line{c.line, {Say: "never said"}}})
			th.turn(1, "it")
			if c.line.Send != nil {
				th.hears(`{"type":"tool_call","turn":"t1","id":"t1/1","name":"send_message","input":{"to":"boss","type":"info","content":"x"}}`)
				th.say(map[string]any{"type": "tool_result", "id": "t1/1", "text": c.text, "is_error": c.isError})
			}
			th.hears(ends(c.want, "invalid"))
		})
	}
}

func TestNothingIsWrittenOutsideTheDirectory(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"../x", "/tmp/x", "out/x", "", "."} {
		th := open(t, dir, rehearsal.Effects{}, messages.Scene{Lines: []messages.Line{{Write: &messages.Prop{Path: path}}}})
		th.turn(1, "it")
		quoted, _ := json.Marshal(path)
		th.hears(uses("t1/1", "Write", `{"path":`+string(quoted)+`}`)...)
		if end := th.end(); !strings.Contains(end, `"class":"invalid"`) || !strings.Contains(end, "write "+path+": ") {
			t.Errorf("%q: %s", path, end)
		}
	}
}

func TestAWaitIsInterruptedByItsOwnTurnOnly(t *testing.T) {
	th := open(t, "", rehearsal.Effects{}, messages.Scene{Lines: []messages.Line{
		{Send: &messages.Cue{To: "boss", Type: messages.Info, Content: "x"}}, {Say: "on"}, {Wait: time.Hour, Say: "x"},
	}})
	th.turn(1, "it")
	th.hears(`{"type":"tool_call","turn":"t1","id":"t1/1","name":"send_message","input":{"to":"boss","type":"info","content":"x"}}`)
	th.say(map[string]any{"type": "interrupt", "id": "t0"})
	th.say(map[string]any{"type": "tool_result", "id": "t1/1", "text": "accepted"})
	th.hears(says("on"))
	th.say(map[string]any{"type": "interrupt", "id": "t1"})
	th.hears(ends("interrupted", "interrupted"))
	th.turn(1, "it")
	th.hears(`{"type":"tool_call","turn":"t1","id":"t1/1","name":"send_message","input":{"to":"boss","type":"info","content":"x"}}`)
	_ = th.in.Close()
	if err := <-th.done; err != nil {
		t.Errorf("who is left within a turn leaves too: %v", err)
	}
}

func TestCrashHangAndBabble(t *testing.T) {
	status, hung := 0, false
	effects := rehearsal.Effects{Exit: func(s int) { status = s }, Hang: func() { hung = true }}
	th := open(t, "", effects, messages.Scene{Lines: []messages.Line{{Babble: "noise\n"}, {Crash: 4}}})
	th.turn(1, "it")
	th.hears("noise")
	if err := <-th.done; err != nil || status != 4 {
		t.Errorf("status %d, %v", status, err)
	}
	th = open(t, "", effects, messages.Scene{Lines: []messages.Line{{Hang: true}}})
	th.turn(1, "it")
	if err := <-th.done; err != nil || !hung {
		t.Errorf("hung %t, %v", hung, err)
	}
}

func TestAPlayerRefusesNonsense(t *testing.T) {
	bad := messages.Performance{Scenes: []messages.Scene{{Name: "first", Match: "("}}}
	if err := rehearsal.Play(strings.NewReader(""), io.Discard, bad, rehearsal.Effects{}); err == nil || !strings.Contains(err.Error(), "first") {
		t.Errorf("a scene that matches nothing: %v", err)
	}
	var syntax *json.SyntaxError
	if err := rehearsal.Play(strings.NewReader("{"), io.Discard, messages.Performance{}, rehearsal.Effects{}); !errors.As(err, &syntax) {
		t.Errorf("half a cue: %v", err)
	}
}

// Whatever is written to a player, it neither panics nor hangs.
func FuzzPlay(f *testing.F) {
	f.Add([]byte("{\"type\":\"hello\",\"agent\":\"a\"}\n{\"type\":\"turn\",\"id\":\"1\",\"messages\":[{\"content\":\"x\"}]}\n{\"type\":\"tool_result\",\"id\":\"1/1\"}\n"))
	f.Add([]byte("{\"type\":\"turn\"}\n{}\nnull\n"))
	f.Add([]byte("{\"type\":\"hello\",\"once\":true,\"tools\":[\"report_result\"]}\n{\"type\":\"turn\",\"id\":\"1\"}\n{\"type\":\"tool_result\",\"id\":\"1/2\"}\n"))
	f.Add([]byte("{\"type\":\"hello\",\"once\":true}\n{\"type\":\"turn\",\"id\":\"1\",\"messages\":[{\"from\":\"a\"}]}\n"))
	p := messages.Performance{Scenes: []messages.Scene{{Lines: []messages.Line{
		{Use: &messages.Gesture{Tool: "Read", Args: "x"}},
		{Report: &messages.Account{Status: messages.ResultSuccess, Summary: "{{content}}"}},
		{Answer: "{{content}}"},
		{Say: "x"},
	}}}}
	f.Fuzz(func(_ *testing.T, in []byte) {
		_ = rehearsal.Play(strings.NewReader(string(in)), io.Discard, p, rehearsal.Effects{})
	})
}
