package command_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"kurogo/drivers/command"
	"kurogo/drivers/drivertest"
	"kurogo/drivers/ndjson"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// The tables for three CLIs, as kurogo.toml may hold them.
var (
	opencode = command.Options{Output: command.NDJSON, Session: "sessionID", Events: map[string]command.Event{
		"step_start": {Kind: command.Ignored},
		"text":       {Kind: command.Said, Text: "part.text"},
		"reasoning":  {Kind: command.Thought, Text: "part.text"},
		"tool_use":   {Kind: command.Tool, ID: "part.callID", Name: "part.tool", Input: "part.state.input"},
		"step_finish": {
			Kind: command.Used, InputTokens: "part.tokens.input", OutputTokens: "part.tokens.output", CachedTokens: "part.tokens.cache.read", Cost: "part.cost",
		},
		"error": {Kind: command.Failed, Text: "error"},
	}}
	gemini = command.Options{Output: command.NDJSON, Session: "session_id", Events: map[string]command.Event{
		"init":        {Kind: command.Ignored},
		"message":     {Kind: command.Said, When: map[string]string{"role": "assistant"}, Text: "content", Join: true},
		"tool_use":    {Kind: command.ToolStarted, ID: "tool_id", Name: "tool_name", Input: "parameters"},
		"tool_result": {Kind: command.ToolEnded, ID: "tool_id"},
		"result": {
			Kind: command.Ended, Good: map[string]string{"status": "success"}, Text: "error.message",
			InputTokens: "stats.input_tokens", OutputTokens: "stats.output_tokens", CachedTokens: "stats.cached",
		},
	}}
	qwen = command.Options{Output: command.NDJSON, Session: "session_id", Events: map[string]command.Event{
		"system":             {Kind: command.Ignored},
		"assistant":          {Each: "message.content"},
		"assistant.text":     {Kind: command.Said, Text: "text"},
		"assistant.thinking": {Kind: command.Thought, Text: "thinking"},
		"assistant.tool_use": {Kind: command.ToolStarted, ID: "id", Name: "name", Input: "input"},
		"user":               {Each: "message.content"},
		"user.tool_result":   {Kind: command.ToolEnded, ID: "tool_use_id"},
		"result": {
			Kind: command.Ended, Good: map[string]string{"is_error": "false", "subtype": "success"}, Text: "result",
			InputTokens: "usage.input_tokens", OutputTokens: "usage.output_tokens", CachedTokens: "usage.cache_read_input_tokens",
		},
	}}
)

func hear(t *testing.T, o command.Options, lines ...string) (got []string) {
	t.Helper()
	word := func(heard ndjson.Heard) {
		for _, e := range heard.Events {
			switch e.Kind {
			case messages.DriverToolStarted, messages.DriverToolEnded:
				got = append(got, fmt.Sprintf("%s %s %s %s", e.Kind, e.Tool.ID, e.Tool.Name, e.Tool.Input))
			case messages.DriverUsed:
				got = append(got, fmt.Sprintf("%s %d %d %d %d", e.Kind, e.Usage.InputTokens, e.Usage.OutputTokens, e.Usage.CachedTokens, e.Usage.CostMicros))
			case messages.DriverTurnEnded:
				got = append(got, fmt.Sprintf("%s %q %s %s", e.Kind, e.End.Class, e.End.Session, e.End.Text))
			default:
				got = append(got, string(e.Kind)+" "+e.Text)
			}
		}
	}
	d := command.NewDialogue(o)
	for _, line := range lines {
		heard, err := d.Hear(process.Line{Text: []byte(line)})
		if err != nil {
			t.Fatal(err)
		}
		word(heard)
	}
	word(d.Close())
	return got
}

func recorded(tb testing.TB, name string) []string {
	tb.Helper()
	b, err := os.ReadFile("testdata/" + name + ".ndjson")
	if err != nil {
		tb.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(b)), "\n")
}

// What real CLIs were seen to write means what it should.
func TestWhatTheTranscriptsMean(t *testing.T) {
	for name, c := range map[string]struct {
		o    command.Options
		want []string
	}{
		"opencode-01": {opencode, []string{
			"said BAD SCRIPT Expected property name or '}' in JSON at position 2",
			"used 100 20 0 0",
			`turn_ended "" ses_e030ad6f4ffe4dQgoO0j9HXZbl BAD SCRIPT Expected property name or '}' in JSON at position 2`,
		}},
		"gemini-01": {gemini, []string{
			`tool_started write_file__write_file_1795245363835_0 write_file {"content":"hi","file_path":"g.txt"}`,
			"tool_ended write_file__write_file_1795245363835_0 write_file ",
			"said hi from gemini",
			"used 200 40 0 0",
			`turn_ended "" 6bfd40a8-a39e-4c3a-8169-cc71f921fe92 hi from gemini`,
		}},
		"qwen-01": {qwen, []string{
			"said Hello from the fake model.",
			"used 200 40 0 0",
			`turn_ended "" 7a8a4926-0332-4d7f-8a01-02a302420e86 Hello from the fake model.`,
		}},
	} {
		if got := hear(t, c.o, recorded(t, name)...); !slices.Equal(got, c.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

func TestWhatTheTranscriptsDoNotShow(t *testing.T) {
	message := func(text string) string {
		return fmt.Sprintf(`{"type":"message","role":"assistant","content":%q,"delta":true}`, text)
	}
	for name, c := range map[string]struct {
		o     command.Options
		lines []string
		want  []string
	}{
		"pieces are one passage":       {gemini, []string{message("a"), message("b"), `{"type":"tool_result","tool_id":"1"}`, message("c"), `{"type":"result","status":"success"}`}, []string{"said ab", "tool_ended 1  ", "said c", `turn_ended ""  c`}},
		"pieces without an end":        {gemini, []string{message("a"), message("b")}, []string{"said ab"}},
		"a passage without any end":    {gemini, []string{message(strings.Repeat("x", command.LongestPassage+1)), message("y")}, []string{"said " + strings.Repeat("x", command.LongestPassage+1), "said y"}},
		"a status that is not good":    {gemini, []string{`{"type":"result","status":"error","error":{"message":"429 quota"}}`}, []string{`turn_ended "rate"  429 quota`}},
		"a failure without a reason":   {gemini, []string{"Oops.", `{"type":"result"}`}, []string{"warned this cannot be read: Oops.", `turn_ended "server"  Oops.`}},
		"an error that ends the turn":  {opencode, []string{`{"type":"error","sessionID":"s","error":{"name":"Auth","data":{"message":"401"}}}`}, []string{`turn_ended "auth" s {"data":{"message":"401"},"name":"Auth"}`}},
		"a tool from beginning to end": {opencode, []string{`{"type":"tool_use","part":{"callID":"c","tool":"bash","state":{"status":"completed","input":{"command":"true"}}}}`}, []string{`tool_started c bash {"command":"true"}`, "tool_ended c bash "}},
		"what it costs":                {opencode, []string{`{"type":"step_finish","part":{"tokens":{"input":1,"output":2,"cache":{"read":3}},"cost":0.0125}}`}, []string{"used 1 2 3 12500"}},
		"nonsense where a number is":   {opencode, []string{`{"type":"step_finish","part":{"tokens":{"input":"1","output":-2},"cost":1e300}}`}, nil},
		"a list of events":             {qwen, []string{`{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"t"},{"type":"text","text":"a"},{"type":"tool_use","id":"1","name":"ls","input":{}},{"type":"image"},7]}}`, `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"1"}]}}`, `{"type":"user","message":{"content":"text"}}`}, []string{"thought t", "said a", "tool_started 1 ls {}", "warned an event is unknown: assistant.image", "warned an event is unknown: assistant.", "tool_ended 1 ls "}},
		"what is unknown":              {qwen, []string{`{"type":"new"}`, `{"kind":"text"}`, "[1,2]", "7", "", `{"type":`}, []string{`warned this event is unknown: {"type":"new"}`, `warned this event is unknown: {"kind":"text"}`, "warned this event is unknown: [1,2]", "warned this event is unknown: 7", `warned this cannot be read: {"type":`}},
		"a type that is elsewhere":     {command.Options{Output: command.NDJSON, Type: "part.kinds.0", Events: map[string]command.Event{"say": {Kind: command.Said, Text: "part.words.1"}}}, []string{`{"part":{"kinds":["say"],"words":["no","yes"]}}`}, []string{"said yes", `turn_ended ""  yes`}},
	} {
		if got := hear(t, c.o, c.lines...); !slices.Equal(got, c.want) {
			t.Errorf("%s: got\n%.300s\nwant\n%.300s", name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
	if _, err := command.NewDialogue(gemini).Hear(process.Line{Text: []byte(`{"type":"message","role":"assistant","content":[]}`)}); err == nil {
		t.Error("a text that is no text was read")
	}
}

// Nothing that a program may say brings the driver down, whatever its table is.
func FuzzHear(f *testing.F) {
	tables := []command.Options{opencode, gemini, qwen, {}}
	for i, name := range []string{"opencode-01", "gemini-01", "qwen-01"} {
		for _, line := range recorded(f, name) {
			f.Add(i, []byte(line), "part.text", false)
		}
	}
	for i := range tables {
		for _, line := range []string{"", "\xff", "null", "[]", `{"type":7}`, `{"type":"text","part":[{"text":1}]}`, `{"type":"result","status":{}}`, `{"type":"assistant","message":{"content":[{"type":"text"},null]}}`} {
			f.Add(i, []byte(line), "a.0", true)
			f.Add(i, []byte(line), "", false)
		}
	}
	f.Fuzz(func(t *testing.T, table int, line []byte, path string, cut bool) {
		o := tables[max(0, table)%len(tables)]
		if o.Output == command.NDJSON {
			o.Session = path
		}
		d := command.NewDialogue(o)
		for range 2 {
			heard, err := d.Hear(process.Line{Text: line, Truncated: cut})
			if err != nil && (cut || !json.Valid(line)) {
				t.Fatalf("%q was taken for a line of the protocol: %v", line, err)
			}
			sound(t, heard)
		}
		sound(t, d.Close())
		if e := d.Judge(messages.Exit{Class: messages.ClassCrash, Reason: "x", Stderr: string(line)}); e.Class == messages.ClassNone || e.Reason == "" {
			t.Fatalf("judged %+v", e)
		}
	})
}

func sound(t *testing.T, heard ndjson.Heard) {
	t.Helper()
	drivertest.Sound(t, heard.Events)
	for _, e := range heard.Events {
		if e.Kind == messages.DriverReady || bytes.ContainsRune(e.Tool.Input, '\n') {
			t.Fatalf("heard %+v", e)
		}
	}
}
