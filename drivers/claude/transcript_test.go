package claude_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kurogo/drivers/claude"
	"kurogo/drivers/drivertest"
	"kurogo/drivers/ndjson"
	"kurogo/drivers/process"
	"kurogo/messages"
)

var update = flag.Bool("update", false, "write what the transcripts mean into testdata/events.txt")

// spoken are the lines that the CLI said in a transcript. One that holds both
// directions wraps them.
func spoken(tb testing.TB, file string) [][]byte {
	tb.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	var out [][]byte
	for line := range bytes.Lines(b) {
		var both struct {
			Dir string          `json:"dir"`
			Msg json.RawMessage `json:"msg"`
		}
		switch _ = json.Unmarshal(line, &both); both.Dir {
		case "":
			out = append(out, bytes.TrimSpace(line))
		case "out":
			out = append(out, both.Msg)
		}
	}
	return out
}

// Every stream that a real CLI was seen to write means what testdata/events.txt
// says: -update writes it anew, and a person reads the difference.
func TestWhatTheTranscriptsMean(t *testing.T) {
	var got strings.Builder
	for _, file := range drivertest.Transcripts(t) {
		fmt.Fprintf(&got, "== %s\n", filepath.Base(file))
		d := claude.NewDialogue(messages.Spec{}, "Write")
		for _, line := range spoken(t, file) {
			heard, err := d.Hear(process.Line{Text: line})
			if err != nil {
				fmt.Fprintf(&got, "error: %v\n", err)
			}
			for _, e := range heard.Events {
				got.WriteString(worded(e))
			}
			for _, r := range heard.Replies {
				fmt.Fprintf(&got, "reply: %.140s\n", r)
			}
		}
	}
	const golden = "testdata/events.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); d != "" {
		t.Error(d)
	}
}

func worded(e messages.DriverEvent) string {
	switch e.Kind {
	case messages.DriverToolAsked, messages.DriverToolStarted, messages.DriverToolEnded:
		return fmt.Sprintf("%s: %s %s %.60s\n", e.Kind, e.Tool.ID, e.Tool.Name, e.Tool.Input)
	case messages.DriverUsed:
		return fmt.Sprintf("%s: %+v\n", e.Kind, e.Usage)
	case messages.DriverTurnEnded:
		return fmt.Sprintf("%s: %q %.80q session %.8s border %.8s after %s\n", e.Kind, e.End.Class, e.End.Text, e.End.Session, e.End.Border, e.End.RetryAfter)
	case messages.DriverChanged:
		return fmt.Sprintf("%s: %s %s\n", e.Kind, e.File.Kind, e.File.Path)
	case messages.DriverReady, messages.DriverThought, messages.DriverSaid, messages.DriverDelta, messages.DriverWarned, messages.DriverRaw, messages.DriverExited:
	}
	return fmt.Sprintf("%s: %.120q\n", e.Kind, e.Text)
}

// Nothing that a CLI may say brings the driver down, and everything that comes
// of it can be written down.
func FuzzHear(f *testing.F) {
	for _, file := range drivertest.Transcripts(f) {
		for _, line := range spoken(f, file) {
			f.Add(line, false)
		}
	}
	for _, line := range []string{
		"", "\xff", "null", "[]", "7", `{"type":7}`, `{"type":"result"}`, `{"type":"result","subtype":7}`, `{"type":"assistant","message":[]}`,
		`{"type":"assistant","message":{"content":"text"}}`, `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":7}]}}`,
		`{"type":"control_request","request_id":"1","request":{"subtype":"mcp_message","server_name":"kurogo","message":{"id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":1}}}}}`,
		`{"type":"control_request","request_id":"1","request":{"subtype":"can_use_tool","tool_name":"mcp__kurogo__x"}}`,
		`{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":99999999999}}`, `{"type":"from_the_future"}`,
		`{"type":"control_response","response":{"request_id":"initialize","subtype":"error","error":"no"}}`,
	} {
		f.Add([]byte(line), true)
		f.Add([]byte(line), false)
	}
	f.Fuzz(func(t *testing.T, line []byte, cut bool) {
		d := claude.NewDialogue(messages.Spec{Tools: []messages.Tool{drivertest.SendMessage}}, claude.Allow)
		if _, err := d.Turn(messages.Turn{ID: "1", Text: string(line)}); err != nil {
			t.Fatal(err)
		}
		heard, err := d.Hear(process.Line{Text: line, Truncated: cut})
		if err != nil && (cut || !json.Valid(line)) {
			t.Fatalf("%q was taken for a line of the protocol: %v", line, err)
		}
		if err == nil {
			sound(t, d, heard)
		}
	})
}

func sound(t *testing.T, d ndjson.Protocol, heard ndjson.Heard) {
	t.Helper()
	drivertest.Sound(t, heard.Events)
	for _, r := range heard.Replies {
		if !json.Valid(r) || bytes.ContainsRune(r, '\n') {
			t.Fatalf("the reply %q would end the life", r)
		}
	}
	for _, e := range heard.Events {
		if e.Kind != messages.DriverToolAsked {
			continue
		}
		if line, err := d.Answer(messages.ToolResult{ID: e.Tool.ID, Text: "\xff"}); err != nil || !json.Valid(line) {
			t.Fatalf("%+v cannot be answered: %q, %v", e.Tool, line, err)
		}
	}
}

// BenchmarkHear reads the transcripts over and over.
func BenchmarkHear(b *testing.B) {
	var lines []process.Line
	var size int64
	for _, file := range drivertest.Transcripts(b) {
		for _, line := range spoken(b, file) {
			lines = append(lines, process.Line{Text: line})
			size += int64(len(line))
		}
	}
	b.SetBytes(size)
	for b.Loop() {
		d := claude.NewDialogue(messages.Spec{}, "")
		for _, line := range lines {
			if _, err := d.Hear(line); err != nil {
				b.Fatal(err)
			}
		}
	}
}
