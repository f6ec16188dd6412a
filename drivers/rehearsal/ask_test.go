package rehearsal_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kurogo/drivers/rehearsal"
	"kurogo/messages"
)

var reporting = []string{"send_message", "report_result"}

// asks is the use of a tool of the house.
func asks(id, tool, input string) string {
	return fmt.Sprintf(`{"type":"tool_call","turn":"t1","id":%q,"name":%q,"input":%s}`, id, tool, input)
}

func TestAnActorReportsWhatItWrote(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "old.md"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	success := messages.Account{Status: messages.ResultSuccess, Summary: "did {{content}}"}
	own := messages.Account{
		Status: messages.ResultFailure, Summary: "s", Response: "r {{content}}", Edited: []string{"x"}, Error: "e {{content}}",
	}
	th := openFor(t, map[string]any{"dir": dir, "tools": reporting}, rehearsal.Effects{}, messages.Scene{Lines: []messages.Line{
		{Report: &success}, write("old.md", ""), write("new.md", ""), write("new.md", ""), {Report: &success}, {Report: &own},
	}})
	for _, files := range []string{ // what another turn wrote is its own affair
		`"editedFiles":["old.md"],"createdFiles":["new.md"]`, `"editedFiles":["old.md","new.md"]`,
	} {
		th.turn(1, "it")
		th.hears(asks("t1/1", "report_result", `{"status":"success","summary":"did it"}`))
		th.say(map[string]any{"type": "tool_result", "id": "t1/1", "text": "{}"})
		for range 3 * 3 { // started, ended, changed
			th.line()
		}
		th.hears(asks("t1/5", "report_result", `{"status":"success","summary":"did it",`+files+`}`))
		th.say(map[string]any{"type": "tool_result", "id": "t1/5", "text": "{}"})
		th.hears(asks("t1/6", "report_result", `{"status":"failure","summary":"s","response":"r it","editedFiles":["x"],"errorMessage":"e it"}`))
		th.say(map[string]any{"type": "tool_result", "id": "t1/6", "text": "{}"})
		th.hears(ends("", ""))
	}
}

func TestWhoIsNotAskedDoesNotReport(t *testing.T) {
	for name, hello := range map[string]map[string]any{"no tools": {}, "other tools": {"tools": []string{"send_message"}}} {
		th := openFor(t, hello, rehearsal.Effects{}, messages.Scene{Lines: []messages.Line{
			{Report: &messages.Account{Status: messages.ResultSuccess, Summary: "s", Expect: messages.CodeConflict}}, {Say: name},
		}})
		th.turn(1, "it")
		th.hears(says(name), ends(name, ""))
	}
}

func TestAReportMayBeRefused(t *testing.T) {
	for name, c := range map[string]struct {
		expect  messages.Code
		text    string
		isError bool
		end     string
	}{
		"unexpectedly":      {"", "conflict: the group is deleted", true, ends("the report was refused: conflict: the group is deleted", "invalid")},
		"as expected":       {messages.CodeConflict, "conflict: the group is deleted", true, ends("", "")},
		"not, as it should": {messages.CodeConflict, "{}", false, ends("the report should have been refused as conflict, but the answer was: {}", "invalid")},
	} {
		t.Run(name, func(t *testing.T) {
			th := openFor(t, map[string]any{"tools": reporting}, rehearsal.Effects{}, messages.Scene{Lines: []messages.Line{
				{Report: &messages.Account{Status: messages.ResultSuccess, Summary: "s", Expect: c.expect}},
			}})
			th.turn(1, "it")
			th.hears(asks("t1/1", "report_result", `{"status":"success","summary":"s"}`))
			th.say(map[string]any{"type": "tool_result", "id": "t1/1", "text": c.text, "is_error": c.isError})
			th.hears(c.end)
		})
	}
}

// Who has one turn and no tools hears no answers, and does not wait for them.
func TestALifeWithoutToolsAsksNobody(t *testing.T) {
	th := openFor(t, map[string]any{"once": true}, rehearsal.Effects{}, messages.Scene{Lines: []messages.Line{{Answer: "done"}}})
	th.turn(1, "it")
	if end := th.end(); !strings.Contains(end, "nobody answers send_message") || !strings.Contains(end, `"class":"invalid"`) {
		t.Errorf("it ended with %s", end)
	}
	if err := <-th.done; err != nil {
		t.Errorf("it left with %v", err)
	}
}

// A life of one turn that has tools hears their answers, and leaves by itself.
func TestALifeOfOneTurnReportsAndLeaves(t *testing.T) {
	s, err := driver(works).Start(t.Context(), messages.Spec{
		Life: "rehearsal-test-" + messages.NewID() + ":1:actor", Agent: "actor", Dir: t.TempDir(), OneShot: true,
		Tools: []messages.Tool{{Name: "report_result"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Stop(t.Context()) })
	var got []string
	for e := range s.Events() {
		switch e.Kind { //nolint:exhaustive // the rest only passes
		case messages.DriverReady:
			if err := s.Send(t.Context(), messages.Turn{ID: "t1", Attempt: 1, Text: "Do it."}); err != nil {
				t.Fatal(err)
			}
		case messages.DriverToolAsked:
			if err := s.Answer(t.Context(), messages.ToolResult{ID: e.Tool.ID, Text: "{}"}); err != nil {
				t.Fatal(err)
			}
		}
		got = append(got, fmt.Sprintf("%s %s%s%s%s %s%s", e.Kind, e.Tool.Name, e.Tool.Input, e.File.Kind, e.File.Path, e.Text, e.End.Text))
		if e.Kind == messages.DriverUsed && (e.Usage.InputTokens != 2 || e.Usage.OutputTokens == 0 || e.Usage.CostMicros != 0) {
			t.Errorf("it used %+v", e.Usage)
		}
		if e.Exit.Class != messages.ClassNone || e.Exit.Code != 0 {
			t.Errorf("it left with %+v", e.Exit)
		}
	}
	want := []string{
		"ready  ",
		`tool_started Read{"path":"go.mod"} `, "tool_ended Read ",
		`tool_started Write{"path":"a.txt"} `, "tool_ended Write ", "changed createda.txt ",
		`tool_asked report_result{"status":"success","summary":"a is written","createdFiles":["a.txt"]} `,
		"said  Last words.", "used  ", "turn_ended  Last words.", "exited  ",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
