package codex_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"kurogo/drivers/codex"
	"kurogo/drivers/drivertest"
	"kurogo/drivers/ndjson"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// Nothing that a CLI may say brings the driver down, and everything that comes
// of it can be written down.
func FuzzHear(f *testing.F) {
	for _, file := range drivertest.Transcripts(f) {
		for line := range bytes.Lines(read(f, file)) {
			var both struct {
				Msg json.RawMessage `json:"msg"`
			}
			if json.Unmarshal(line, &both) == nil && len(both.Msg) > 0 {
				line = both.Msg
			}
			f.Add(bytes.TrimSpace(line), false)
		}
	}
	for _, line := range []string{
		"", "\xff", "null", "[]", "7", `{"id":null}`, `{"method":7}`, `{"type":7}`, `{"id":"thread","result":7}`, `{"id":"thread","error":{"message":"turn not found"}}`,
		`{"id":"initialize","error":{}}`, `{"id":"turn 1","result":{"turn":{"id":"x"}}}`, `{"id":"turn 1","error":{"message":""}}`,
		`{"method":"turn/completed","params":{"turn":{"id":"x","status":"failed","error":{"codexErrorInfo":{"a":{"httpStatusCode":7}}}}}}`,
		`{"id":3,"method":"item/tool/call","params":{"callId":"c","tool":"send_message","arguments":{"a":"\ud800"}}}`, `{"id":{"a":1},"method":"x"}`,
		`{"type":"item.completed","item":{"type":"file_change","id":"1","status":"completed","changes":[{"path":"a","kind":{"type":"update","move_path":"b"}},{"kind":7}]}}`,
		`{"type":"turn.failed","error":"x"}`, `{"type":"error","message":"try again in 99999999999999999999 days"}`, `{"type":"from_the_future"}`,
	} {
		f.Add([]byte(line), true)
		f.Add([]byte(line), false)
	}
	f.Fuzz(func(t *testing.T, line []byte, cut bool) {
		spoken := process.Line{Text: line, Truncated: cut}
		r := codex.NewRun()
		heard, err := r.Hear(spoken)
		judged(t, spoken, heard, err)
		sound(t, nil, r.Close())

		for _, ready := range []bool{false, true} {
			d := codex.NewDialogue(messages.Spec{Session: "s", Border: "t@p", Tools: []messages.Tool{drivertest.SendMessage}})
			if _, err := d.Turn(messages.Turn{ID: "1", Text: string(line)}); err != nil {
				t.Fatal(err)
			}
			if ready {
				for _, given := range []string{
					`{"id":"thread","result":{"thread":{"id":"thread"}}}`, `{"id":"personality","result":{}}`, `{"id":"turn 1","result":{"turn":{"id":"x"}}}`,
				} {
					if _, err := d.Hear(process.Line{Text: []byte(given)}); err != nil {
						t.Fatal(err)
					}
				}
			}
			heard, err := d.Hear(spoken)
			judged(t, spoken, heard, err)
			sound(t, d, heard)
		}
	})
}

func judged(t *testing.T, line process.Line, heard ndjson.Heard, err error) {
	t.Helper()
	if err != nil && (line.Truncated || !json.Valid(line.Text)) {
		t.Fatalf("%q was taken for a line of the protocol: %v", line.Text, err)
	}
	if err == nil {
		sound(t, nil, heard)
	}
}

func sound(t *testing.T, d ndjson.Protocol, heard ndjson.Heard) {
	t.Helper()
	drivertest.Sound(t, heard.Events)
	for _, r := range heard.Replies {
		if len(r) > 0 && (!json.Valid(r) || bytes.ContainsRune(r, '\n')) {
			t.Fatalf("the reply %q would end the life", r)
		}
	}
	for _, e := range heard.Events {
		if e.Kind != messages.DriverToolAsked || d == nil {
			continue
		}
		if line, err := d.Answer(messages.ToolResult{ID: e.Tool.ID, Text: "\xff"}); err != nil || !json.Valid(line) {
			t.Fatalf("%+v cannot be answered: %q, %v", e.Tool, line, err)
		}
	}
}
