package cursor_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"kurogo/drivers/cursor"
	"kurogo/drivers/drivertest"
	"kurogo/drivers/ndjson"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// hear reads a whole stream and words what it means.
func hear(t *testing.T, d ndjson.OneShot, lines ...string) []string {
	t.Helper()
	var got []string
	word := func(heard ndjson.Heard) {
		for _, e := range heard.Events {
			switch e.Kind {
			case messages.DriverToolStarted, messages.DriverToolEnded:
				got = append(got, fmt.Sprintf("%s %s %s %s", e.Kind, e.Tool.ID, e.Tool.Name, e.Tool.Input))
			case messages.DriverChanged:
				got = append(got, fmt.Sprintf("%s %s %s", e.Kind, e.File.Kind, e.File.Path))
			case messages.DriverTurnEnded:
				got = append(got, fmt.Sprintf("%s %q %s %s", e.Kind, e.End.Class, e.End.Session, e.End.Text))
			default:
				got = append(got, string(e.Kind)+" "+e.Text)
			}
		}
	}
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

// The events that the documentation shows, without partial output.
func TestWhatTheDocumentedEventsMean(t *testing.T) {
	b, err := os.ReadFile("testdata/documented.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	got := hear(t, cursor.NewDialogue(messages.Spec{}), strings.Split(strings.TrimSpace(string(b)), "\n")...)
	want := []string{
		"said I'll read the file.",
		`tool_started t1 read {"path":"file.txt"}`,
		"tool_ended t1 read ",
		"said I'll read the file.", // without pieces nothing is a repeat
		`tool_started t2 write {"path":"summary.txt","fileText":"…","toolCallId":"t2"}`,
		"tool_ended t2 write ",
		"changed edited /abs/summary.txt",
		`tool_started t3 mcp_kurogo_report {"agentId":"a"}`,
		"tool_ended t3 mcp_kurogo_report ",
		"said Done.",
		`turn_ended "" s-1 Done.`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func piece(text string) string  { return assistant(text, `,"timestamp_ms":7`) }
func repeat(text string) string { return assistant(text, `,"timestamp_ms":7,"model_call_id":"c"`) }
func full(text string) string   { return assistant(text, "") }

func assistant(text, fields string) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":%q}]},"session_id":"s"%s}`, text, fields)
}

const tool = `{"type":"tool_call","subtype":"started","call_id":"1","tool_call":{"lsToolCall":{}}}`

// Whatever is said is told once, as whole passages, in whichever way it is
// repeated.
func TestPassagesAreToldOnce(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  []string
	}{
		"pieces and a repeat":           {[]string{piece("a"), piece("b"), repeat("ab")}, []string{"ab"}},
		"pieces and the end":            {[]string{piece("a"), piece("b")}, []string{"ab"}},
		"two repeats":                   {[]string{piece("ab"), repeat("ab"), repeat("ab"), full("ab")}, []string{"ab"}},
		"a repeat of all":               {[]string{piece("ab"), repeat("ab"), piece("cd"), full("abcd")}, []string{"ab", "cd"}},
		"a repeat of all, after all":    {[]string{piece("ab"), repeat("ab"), piece("cd"), full("cd"), full("abcd")}, []string{"ab", "cd"}},
		"a tool before the repeat":      {[]string{piece("ab"), tool, repeat("ab"), piece("cd"), full("cd")}, []string{"ab", "cd"}},
		"a repeat behind the next":      {[]string{piece("ab"), piece("cd"), repeat("ab"), full("cd")}, []string{"ab", "cd"}},
		"a late repeat within the next": {[]string{piece("ab"), tool, piece("c"), repeat("ab"), piece("d"), full("cd")}, []string{"ab", "cd"}},
		"the same again":                {[]string{piece("ab"), repeat("ab"), piece("ab"), repeat("ab")}, []string{"ab", "ab"}},
		"pieces that never came":        {[]string{piece("a"), repeat("abc")}, []string{"abc"}},
		"no pieces at all":              {[]string{full("ab"), full("ab"), full("cd")}, []string{"ab", "ab", "cd"}},
		"nothing":                       {[]string{piece(""), repeat(""), full("")}, nil},
		"without any end":               {[]string{piece(strings.Repeat("x", cursor.LongestPassage+1)), piece("y")}, []string{strings.Repeat("x", cursor.LongestPassage+1), "y"}},
	} {
		var got []string
		for _, e := range hear(t, cursor.NewDialogue(messages.Spec{}), c.lines...) {
			if text, ok := strings.CutPrefix(e, "said "); ok {
				got = append(got, text)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %.80q, want %.80q", name, got, c.want)
		}
	}
}

func TestThoughtsAreWhole(t *testing.T) {
	delta := func(text string) string { return fmt.Sprintf(`{"type":"thinking","subtype":"delta","text":%q}`, text) }
	const completed = `{"type":"thinking","subtype":"completed","timestamp_ms":7}`
	for want, lines := range map[string][]string{
		"thought ab|thought cd": {delta("a"), delta("b"), completed, delta("cd"), completed},
		"thought ab|said x":     {delta("ab"), piece("x")},
		"said x|thought ab":     {piece("x"), delta("ab")},
		"thought all":           {`{"type":"thinking","subtype":"completed","text":"all"}`},
		"":                      {completed},
	} {
		if got := strings.Join(hear(t, cursor.NewDialogue(messages.Spec{}), lines...), "|"); got != want {
			t.Errorf("%q: got %q, want %q", lines, got, want)
		}
	}
}

func TestWhatIsUnknownIsAWarning(t *testing.T) {
	for _, line := range []string{
		`{"type":"interaction_query","subtype":"request","query":{"webSearch":{}}}`, `{"type":"system","subtype":"other"}`, `{"type":"new"}`, "T: plain",
		`{"type":"tool_call","subtype":"started","call_id":"1","tool_call":{"strange":{}}}`, `{"type":"tool_call","subtype":"paused","call_id":"1","tool_call":{"lsToolCall":{}}}`,
		`{"type":7}`, "[]", "7", `{"type":`, "\xff",
	} {
		got := hear(t, cursor.NewDialogue(messages.Spec{}), line)
		if len(got) != 1 || !strings.HasPrefix(got[0], "warned ") {
			t.Errorf("%s: %q", line, got)
		}
	}
	for _, line := range []string{`{"type":"result","result":7}`, `{"type":"assistant","message":7}`, `{"type":"tool_call","tool_call":7}`} {
		if _, err := cursor.NewDialogue(messages.Spec{}).Hear(process.Line{Text: []byte(line)}); err == nil {
			t.Errorf("%s was read", line)
		}
	}
}

func TestModelsAreReadFromTheList(t *testing.T) {
	const list = "\x1b[2K\x1b[GAvailable models\r\n\r\nauto - Auto (default)\r\n  claude-4-sonnet - Claude 4 Sonnet\ngpt-5.2 - GPT - with a dash\nauto - again\nno dash\n\nTip: use --model <id> - or not\n"
	if got, want := cursor.ParseModels(list), []string{"auto", "claude-4-sonnet", "gpt-5.2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Nothing that a CLI may say brings the driver down, and everything that comes
// of it can be written down.
func FuzzHear(f *testing.F) {
	b, err := os.ReadFile("testdata/documented.ndjson")
	if err != nil {
		f.Fatal(err)
	}
	for line := range bytes.Lines(b) {
		f.Add(bytes.TrimSpace(line), []byte(nil), false)
	}
	for _, line := range []string{
		"", "\xff", "null", "[]", `{"type":7}`, `{"type":"result"}`, `{"type":"result","subtype":7}`, `{"type":"assistant","message":{"content":"text"}}`, piece("a"), repeat("a"), full("a"),
		`{"type":"tool_call","subtype":"completed","tool_call":{"editToolCall":{"args":7,"result":{"success":7}}}}`, `{"type":"tool_call","subtype":"started","tool_call":{"function":{"name":"x","arguments":"{\"a\":1}"}}}`,
		`{"type":"thinking","text":"x"}`, `{"type":"result","is_error":true,"usage":[]}`,
	} {
		f.Add([]byte(line), []byte(piece("b")), true)
		f.Add([]byte(line), []byte(line), false)
	}
	f.Fuzz(func(t *testing.T, first, second []byte, cut bool) {
		d := cursor.NewDialogue(messages.Spec{})
		for _, line := range [][]byte{first, second} {
			heard, err := d.Hear(process.Line{Text: line, Truncated: cut})
			if err != nil && (cut || !json.Valid(line)) {
				t.Fatalf("%q was taken for a line of the protocol: %v", line, err)
			}
			sound(t, heard)
		}
		sound(t, d.Close())
		if e := d.Judge(messages.Exit{Class: messages.ClassCrash, Reason: "x", Stderr: string(second)}); e.Class == messages.ClassNone || e.Reason == "" {
			t.Fatalf("judged %+v", e)
		}
	})
}

func sound(t *testing.T, heard ndjson.Heard) {
	t.Helper()
	drivertest.Sound(t, heard.Events)
	if len(heard.Replies) > 0 {
		t.Fatal("nobody can be replied to")
	}
	for _, e := range heard.Events {
		used := e.Kind == messages.DriverToolStarted || e.Kind == messages.DriverToolEnded
		if e.Kind == messages.DriverReady || used && e.Tool.Name == "" {
			t.Fatalf("heard %+v", e)
		}
	}
}
