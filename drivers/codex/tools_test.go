package codex_test

import (
	"fmt"
	"strings"
	"testing"

	"kurogo/drivers/codex"
	"kurogo/drivers/process"
	"kurogo/messages"
)

func TestAToolThatIsNotOfferedIsRefused(t *testing.T) {
	end := begin(t, faked(outdated, codex.Options{}), messages.Spec{}).Turn(words)
	if !strings.Contains(end.Text, `"success":false`) || !strings.Contains(end.Text, "no tool gone") {
		t.Errorf("it was answered %s", end.Text)
	}
}

func TestWhateverItAsksForTheAnswerIsNo(t *testing.T) {
	l := begin(t, faked(nosy, codex.Options{Permission: codex.Allow}), messages.Spec{})
	l.Turn(words)
	var got []string
	for _, e := range l.Heard {
		if e.Kind == messages.DriverSaid {
			_, answer, _ := strings.Cut(e.Text, " ")
			got = append(got, answer)
		}
	}
	want := []string{
		`{"result":{"decision":"decline"}}`, `{"result":{"decision":"decline"}}`, `{"result":{"decision":"denied"}}`, `{"result":{"decision":"denied"}}`,
		`{"result":{"permissions":{},"scope":"turn"}}`, `{"result":{"answers":{}}}`, `{"result":{"_meta":null,"action":"decline","content":null}}`,
		`{"error":{"code":-32601,"message":"kurogo does not know attestation/generate"}}`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("answered %q, want %q", got, want)
	}
}

// Every use of a tool begins and ends, and only what was really written counts.
func TestWhatItsToolsDo(t *testing.T) {
	for mode, moved := range map[string]string{"app-server": "changed deleted c, changed created d, ", "exec": ""} {
		l := begin(t, faked(works, codex.Options{}), modes[mode])
		l.Turn(words)
		var got []string
		for _, e := range l.Heard {
			switch e.Kind { //nolint:exhaustive // only what its tools do
			case messages.DriverToolStarted:
				got = append(got, fmt.Sprintf("%s %s %s", e.Kind, e.Tool.Name, e.Tool.Input))
			case messages.DriverToolEnded:
				got = append(got, fmt.Sprintf("%s %s", e.Kind, e.Tool.Name))
			case messages.DriverChanged:
				got = append(got, fmt.Sprintf("%s %s %s", e.Kind, e.File.Kind, e.File.Path))
			case messages.DriverSaid:
				if e.Text == "not mine" {
					t.Errorf("%s: it said what another said", mode)
				}
			}
		}
		want := `tool_started command_execution {"command":"make"}, tool_ended command_execution, ` +
			`tool_started mcp__kurogo__send_message {"to":"boss"}, tool_ended mcp__kurogo__send_message, ` +
			`tool_started file_change {"paths":["a","b",` + map[bool]string{true: `"c",`}[moved != ""] + `"e"]}, ` +
			`changed created a, changed edited b, ` + moved + `changed deleted e, tool_ended file_change, ` +
			`tool_started file_change {"paths":["never"]}, tool_ended file_change, tool_started web_search {"query":"kabuki"}, tool_ended web_search`
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: it did\n%s, want\n%s", mode, strings.Join(got, ", "), want)
		}
	}
}

// Only the end of a turn must be understood. What a newer CLI says of the rest
// in other words is a warning.
func TestWhatIsNotUnderstoodEndsNothing(t *testing.T) {
	d, r := codex.NewDialogue(messages.Spec{}), codex.NewRun()
	for _, line := range []string{
		`{"method":"item/completed","params":{"item":{"type":"agentMessage","text":{"now":"an object"}}}}`,
		`{"method":"account/rateLimits/updated","params":{"rateLimits":[]}}`, `{"method":"from/theFuture","params":{}}`,
		`{"method":"mcpServer/startupStatus/updated","params":[]}`,
	} {
		if heard, err := d.Hear(process.Line{Text: []byte(line)}); err != nil || len(heard.Events) != 1 || heard.Events[0].Kind != messages.DriverWarned {
			t.Errorf("%s: %+v, %v", line, heard, err)
		}
	}
	if heard, err := d.Hear(process.Line{Text: []byte(`{"method":"skills/fromTheFuture","params":[]}`)}); err != nil || len(heard.Events) > 0 {
		t.Errorf("what is for a screen: %+v, %v", heard, err)
	}
	if heard, err := r.Hear(process.Line{Text: []byte(`{"type":"item.completed","item":{"type":"reasoning","summary":"one"}}`)}); err != nil || len(heard.Events) != 1 {
		t.Errorf("%+v, %v", heard, err)
	}
}
