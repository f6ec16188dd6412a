package rehearsal_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"kurogo/drivers/process"
	"kurogo/drivers/rehearsal"
)

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"type":"ready"}`, `{"type":"turn_end","turn":"1","text":"x","class":"rate"}`, `{"type":"turn_end"}`,
		`{"type":"tool_call","id":"1","name":"n","input":{"a":[1]}}`, `{"type":"tool_call"}`, `{"type":"text","text":5}`,
		`{"type":"tool_started","id":"1","name":"n","input":{}}`, `{"type":"tool_ended","id":"1"}`, `{"type":"changed","path":"p","change":"created"}`,
		`{"type":"changed","path":"p","change":"eaten"}`, `{"type":"used","input_tokens":3}`, `{"type":"used","output_tokens":-1}`, `{"type":"used","input_tokens":1e99}`,
		`{"type":5}`, `[]`, `null`, ``, "\xff", `{"type":"new"}`,
	} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, line []byte, cut bool) {
		known, warning, err := rehearsal.Decode(process.Line{Text: line, Truncated: cut})
		said := 0
		for _, yes := range []bool{known, warning != "", err != nil} {
			if yes {
				said++
			}
		}
		if empty := len(bytes.TrimSpace(line)) == 0 && !cut; empty && said != 0 || !empty && said != 1 {
			t.Fatalf("known %t, warning %q, error %v", known, warning, err)
		}
		if cut && warning == "" {
			t.Fatal("the head of a line was taken for the line")
		}
		if (known || err != nil) && !json.Valid(line) {
			t.Fatalf("%q was taken for a word", line)
		}
		if !utf8.ValidString(warning) || len(warning) > 1000 {
			t.Fatalf("warning %q", warning)
		}
	})
}
