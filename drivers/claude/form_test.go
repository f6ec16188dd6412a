package claude_test

import (
	"encoding/json"
	"strings"
	"testing"

	"kurogo/drivers/claude"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// What a life may do, and how it is to end, is in its arguments.
func TestTheArgumentsOfAnEvaluator(t *testing.T) {
	schema := `{"type":"object","required":["score"]}`
	spec := messages.Spec{OneShot: true, ReadOnly: true, Deltas: true, Schema: []byte(schema)}
	var args []string
	end := begin(t, faked(tells, claude.Options{Permission: claude.Allow}), spec).Turn("Judge it.")
	if err := json.Unmarshal([]byte(end.Text), &args); err != nil {
		t.Fatalf("end %+v: %v", end, err)
	}
	got := strings.Join(args, " ")
	for _, want := range []string{"--json-schema " + schema, "--tools=Read,Glob,Grep", "--include-partial-messages", "--allowedTools=mcp__kurogo ", ",Bash,Edit,"} {
		if !strings.Contains(got+" ", want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	plain := strings.Join(told(t, claude.Shared, messages.Spec{OneShot: true}), " ")
	for _, never := range []string{"--json-schema", "--tools", "--include-partial-messages", "Bash"} {
		if strings.Contains(plain, never) {
			t.Errorf("%q is in %q", never, plain)
		}
	}
}

func TestASchemaThatCannotBeKept(t *testing.T) {
	for name, schema := range map[string]string{"no JSON": "{", "too long": `{"title":"` + strings.Repeat("x", 200<<10) + `"}`} {
		s, err := faked(tells, claude.Options{}).Start(t.Context(), messages.Spec{OneShot: true, Home: t.TempDir(), Schema: []byte(schema)})
		if e := messages.AsError(err); e == nil || e.Field != "schema" {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
}

// A turn can end well without the last words that were asked for.
func TestLastWordsAreThoseThatFit(t *testing.T) {
	for fields, want := range map[string]messages.TurnEnd{
		`"structured_output":{ "score" : 7 }`:  {Text: `{"score":7}`},
		`"result":"It is good."`:               {Class: messages.ClassFormat, Text: "the model gave no answer that fits the schema: It is good."},
		`"structured_output":null`:             {Class: messages.ClassFormat, Text: "the model gave no answer that fits the schema: it said nothing"},
		`"result":"x","structured_output":"a"`: {Text: `"a"`},
	} {
		got := hears(t, messages.Spec{Schema: []byte(`{}`)}, `{"type":"result","subtype":"success",`+fields+`}`)
		if end := got[len(got)-1].End; end != want {
			t.Errorf("%s: %+v", fields, end)
		}
	}
	got := hears(t, messages.Spec{Schema: []byte(`{}`)}, `{"type":"result","subtype":"error_max_structured_output_retries","is_error":true}`)
	if end := got[len(got)-1].End; end.Class != messages.ClassFormat {
		t.Errorf("%+v", end)
	}
}

func TestOnlyTextOfItsOwnIsToldAsItComes(t *testing.T) {
	lines := []string{
		`{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Good "}},"parent_tool_use_id":null}`,
		`{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}}`,
		`{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"of another"}},"parent_tool_use_id":"t1"}`,
		`{"type":"stream_event","event":{"type":"message_stop"}}`, `{"type":"stream_event","event":7}`, `{"type":"stream_event"}`,
		`{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":"morning."}}}`,
	}
	var got string
	for _, e := range hears(t, messages.Spec{Deltas: true}, lines...) {
		got += string(e.Kind) + " " + e.Text + "|"
	}
	if got != "delta Good |delta morning.|" {
		t.Errorf("told %q", got)
	}
	if all := hears(t, messages.Spec{}, lines...); len(all) != 0 {
		t.Errorf("told %+v", all)
	}
}

// hears is what a dialogue makes of lines.
func hears(t *testing.T, spec messages.Spec, lines ...string) []messages.DriverEvent {
	t.Helper()
	d := claude.NewDialogue(spec, "")
	var all []messages.DriverEvent
	for _, line := range lines {
		heard, err := d.Hear(process.Line{Text: []byte(line)})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, heard.Events...)
	}
	return all
}
