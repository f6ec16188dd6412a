package codex_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kurogo/drivers/codex"
	"kurogo/drivers/drivertest"
	"kurogo/drivers/ndjson"
	"kurogo/drivers/process"
	"kurogo/messages"
)

var update = flag.Bool("update", false, "write what the transcripts mean into testdata/events.txt")

func read(tb testing.TB, file string) []byte {
	tb.Helper()
	b, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		tb.Fatal(err)
	}
	return b
}

// Every stream that a real CLI was seen to write means what testdata/events.txt
// says: -update writes it anew, and a person reads the difference.
func TestWhatTheTranscriptsMean(t *testing.T) {
	var got strings.Builder
	for _, file := range drivertest.Transcripts(t) {
		fmt.Fprintf(&got, "== %s\n", filepath.Base(file))
		if strings.Contains(file, "appserver") {
			played(t, &got, file)
			continue
		}
		r, over := codex.NewRun(), false
		for line := range bytes.Lines(read(t, file)) {
			heard, err := r.Hear(process.Line{Text: line})
			over = wrote(&got, heard, err) || over
		}
		over = wrote(&got, r.Close(), nil) || over
		if !over {
			e := r.Judge(messages.Exit{Class: messages.ClassCrash, Reason: "a crash", Stderr: string(read(t, strings.TrimSuffix(file, "ndjson")+"stderr"))})
			fmt.Fprintf(&got, "judged: %q %.120q\n", e.Class, e.Reason)
		}
	}
	const golden = "testdata/events.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(strings.Split(string(read(t, golden)), "\n"), strings.Split(got.String(), "\n")); d != "" {
		t.Error(d)
	}
}

// wrote reports whether the turn ended.
func wrote(to *strings.Builder, heard ndjson.Heard, err error) bool {
	if err != nil {
		fmt.Fprintf(to, "error: %v\n", err)
	}
	over := false
	for _, e := range heard.Events {
		over = over || e.Kind == messages.DriverTurnEnded
		to.WriteString(worded(e))
	}
	for _, r := range heard.Replies {
		fmt.Fprintf(to, "reply: %.140s\n", r)
	}
	return over
}

// played plays a dialogue of two. Who recorded it gave the requests other ids
// than we do.
func played(t *testing.T, got *strings.Builder, file string) {
	t.Helper()
	d := codex.NewDialogue(messages.Spec{Dir: "/home/dev/w-codex", SystemPrompt: "You are SPECIALIST."})
	ids := map[string]json.RawMessage{}
	for line := range bytes.Lines(read(t, file)) {
		var both struct {
			Dir string                     `json:"dir"`
			Msg map[string]json.RawMessage `json:"msg"`
		}
		if err := json.Unmarshal(line, &both); err != nil {
			t.Fatal(err)
		}
		id, method := string(both.Msg["id"]), string(both.Msg["method"])
		switch {
		case both.Dir == "in" && method != "":
			if ours := given(t, d, method, id); ours != nil {
				ids[id] = ours
			}
			continue
		case both.Dir == "in":
			continue
		case method == "" && ids[id] != nil:
			both.Msg["id"] = ids[id]
		}
		text, err := json.Marshal(both.Msg)
		if err != nil {
			t.Fatal(err)
		}
		heard, err := d.Hear(process.Line{Text: text})
		wrote(got, heard, err)
	}
}

// given gives the driver the occasion for a request and returns the id that it
// gives it.
func given(t *testing.T, d ndjson.Protocol, method, id string) json.RawMessage {
	t.Helper()
	var line []byte
	var err error
	switch strings.Trim(method, `"`) {
	case "initialize":
		line, err = d.Hello()
	case "thread/start":
		return json.RawMessage(`"thread"`)
	case "turn/start":
		line, err = d.Turn(messages.Turn{ID: id, Text: "Do it."})
	case "turn/interrupt":
		line, err = d.Interrupt(id)
	default:
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var request struct {
		ID json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(line, &request); err != nil {
		t.Fatal(err)
	}
	return request.ID
}

func worded(e messages.DriverEvent) string {
	switch e.Kind {
	case messages.DriverToolAsked, messages.DriverToolStarted, messages.DriverToolEnded:
		return fmt.Sprintf("%s: %s %s %.80s\n", e.Kind, e.Tool.ID, e.Tool.Name, e.Tool.Input)
	case messages.DriverUsed:
		return fmt.Sprintf("%s: %+v\n", e.Kind, e.Usage)
	case messages.DriverTurnEnded:
		return fmt.Sprintf("%s: %q %.80q session %.8s border %.40s after %s\n", e.Kind, e.End.Class, e.End.Text, e.End.Session, e.End.Border, e.End.RetryAfter)
	case messages.DriverChanged:
		return fmt.Sprintf("%s: %s %s\n", e.Kind, e.File.Kind, e.File.Path)
	case messages.DriverReady, messages.DriverThought, messages.DriverSaid, messages.DriverDelta, messages.DriverWarned, messages.DriverRaw, messages.DriverExited:
	}
	return fmt.Sprintf("%s: %.120q\n", e.Kind, e.Text)
}
