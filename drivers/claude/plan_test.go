package claude_test

import (
	"encoding/json"
	"strings"
	"testing"

	"kurogo/drivers/claude"
	"kurogo/drivers/drivertest"
)

// Every line of a real CLI is read by a plan, and as encoding/json reads it.
func TestAPlanReadsWhatTheCLISays(t *testing.T) {
	for _, file := range drivertest.Transcripts(t) {
		for _, line := range spoken(t, file) {
			if read, alike := claude.ReadsAlike(line); !read || !alike {
				t.Errorf("%s: read %t, alike %t: %.300s", file, read, alike, line)
			}
		}
	}
}

// What is unusual is left to encoding/json, which knows what to do about it.
func TestAPlanLeavesTheUnusual(t *testing.T) {
	for line, want := range map[string]bool{
		`{"type":"result","usage":{"input_tokens":3,"other":[{}]},"errors":[],"x":{"type":1}}`: true,
		`{"type":null,"usage":null,"errors":null,"message":null,"mcp_servers":[null]}`:         true,
		`{"model_usage_since_last_result":{"any name":{"costUSD":5e-1,"inputTokens":1}}}`:      true,
		`{"type":"a\u0062\n\"","session_id":"黒衣"}`:                                             true,
		"{\"type\":\"\xff\"}":                                  true,
		`{"message":{"content":"text","model":"m"}}`:           true,
		`{"message":{"content":[{"type":"text"},{"id":"i"}]}}`: true,
		`{"type":7}`: false, `{"subtype":["x"]}`: false, `{"is_error":1}`: false, `{"is_error":"true"}`: false, `{"attempt":1.5}`: false, `{"attempt":99999999999999999999}`: false,
		`{"total_cost_usd":1e999}`: false, `{"usage":[]}`: false, `{"errors":{}}`: false, `{"type":"a","type":"b"}`: false, `{"Type":"a"}`: false, `{"usage":{"INPUT_TOKENS":1}}`: false,
		`{"typ\u0065":"a"}`: false, `{"ſubtype":"a"}`: false, `{"rate_limit_info":{"RESETSAT":1}}`: false,
		`[]`: false, `null`: false, `"x"`: false, ``: false, `{"type":"a"}x`: false, `{"type":"a",}`: false,
	} {
		if read, alike := claude.ReadsAlike([]byte(line)); read != want || !alike {
			t.Errorf("%s: read %t, alike %t", line, read, alike)
		}
	}
}

// nearJSON is JSON and what only looks like it.
func nearJSON() []string {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	return []string{
		"", " ", "{", "}", "{}", "{} {}", "{}x", "[{}]", `{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `{"a":1 "b":2}`, `{"a":[1,]}`, `{"a":[,1]}`, `{a:1}`,
		"01", "-", "-0.5e+7", "1.", ".5", "1e", "1E-3", "+1", "tru", "nullx", "null", "true", "false", "0", "-0",
		`"\u12G4"`, `"\u12a4\b\/"`, `"\x"`, "\"\n\"", "\"\xff\"", "\"\x7f\"", `"\`, `"\u00`, "\"\\u0\x1000\"", "1\x00", "\x00", "\v1", ` { "a" : [ ] } `,
		deep(9999), deep(10000), deep(10001),
	}
}

func TestAScanTakesJSONAndNothingElse(t *testing.T) {
	for _, text := range nearJSON() {
		if got := claude.Skips([]byte(text)); got != json.Valid([]byte(text)) {
			t.Errorf("%.40q is taken: %t", text, got)
		}
	}
}

func FuzzPlan(f *testing.F) {
	for _, text := range nearJSON() {
		f.Add([]byte(text))
		f.Add([]byte(`{"type":"result","usage":` + text + `,"result":` + text + `,"message":` + text + `}`))
	}
	for _, file := range drivertest.Transcripts(f) {
		for _, line := range spoken(f, file) {
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if got := claude.Skips(line); got != json.Valid(line) {
			t.Fatalf("%q is taken: %t", line, got)
		}
		if read, alike := claude.ReadsAlike(line); !alike {
			t.Fatalf("%q is read in another way", line)
		} else if read && !json.Valid(line) {
			t.Fatalf("%q is read", line)
		}
	})
}
