package hermes_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"kurogo/drivers/hermes"
)

// Whatever a model says, an envelope is opened or refused with a word for it, and
// what is in it is JSON.
func FuzzEnvelope(f *testing.F) {
	for _, seed := range []string{
		`{"thought":"hm","tool_calls":[{"name":"a","parameters":{"b":[1,2]}}],"final_answer":"c"}`,
		"```json\n{\"final_answer\":\"a\"}\n```", `{"final_answer":null}`, `{"final_answer":{"a":1}}`, `{}`, `null`, ``, "```", `{"tool_calls":null,"final_answer":""}`,
		`{"tool_calls":[null]}`, `{"tool_calls":[{"name":"a","parameters":null}]}`, "<think>\nhm</think>{}", "\xff", `{"final_answer":"\ud83d"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		calls, final, err := hermes.OpenEnvelope(text)
		switch {
		case err != nil && (err.Error() == "" || len(err.Error()) > 1000):
			t.Errorf("refused with %q", err)
		case err != nil:
			return
		case len(calls) == 0 && final == nil:
			t.Error("it says nothing")
		case final != nil && !json.Valid(final):
			t.Errorf("the answer is %q", final)
		}
		for _, c := range calls {
			if c.Name == "" || !json.Valid(c.Input) || c.Input[0] != '{' {
				t.Errorf("call %+v", c)
			}
		}
	})
}

// Whatever a stream holds, it is heard without falling, warnings are short, and
// what was said is as long as it counts.
func FuzzStream(f *testing.F) {
	for _, seed := range []string{
		`{"model":"m","message":{"role":"assistant","content":"a","thinking":"b"},"done":false}` + "\n" + `{"done":true,"done_reason":"length","eval_count":-1}`,
		`{"message":{"tool_calls":[{"function":{"name":"a","arguments":{"b":1}}},{"function":{"name":"a"}}]}}`,
		`{"error":"x"}`, `{"error":{"message":"x","code":7}}`, `{"message":7}`, `[1]`, "\x1b[31m", `{"error":null}`, `{"message":null,"done":null}`,
		"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\",\"reasoning_content\":\"b\"}}]}\n\ndata: [DONE]",
		`data: {"choices":[{"delta":{"tool_calls":[{"index":3,"id":"x","function":{"name":"a","arguments":"{\"b\""}},{"index":-1,"function":{"arguments":":1}"}}]},"finish_reason":"tool_calls"}],"usage":null}`,
		`data: {"choices":[],"usage":{"prompt_tokens":-7,"prompt_tokens_details":null}}`, ": comment\nevent: x\nid: 1\nretry: 3\n", `data:`, `{"error":{"message":"x"}}`, `data: {"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"x"}}]}}]}`,
		`data: {"choices":[{"delta":{"refusal":"no"},"finish_reason":"content_filter"}]}`,
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, stream string, ollama bool) {
		said, told, warnings, counted, err := hermes.Hear(ollama, strings.Split(stream, "\n"))
		for _, w := range warnings {
			if w == "" || len(w) > 1000 || !utf8.ValidString(w) {
				t.Errorf("warned %q", w)
			}
		}
		if !utf8.ValidString(said) || err == nil && !strings.HasPrefix(said, told) || counted < len(said) {
			t.Errorf("said %q, told %q, counted %d", said, told, counted)
		}
		if err != nil && len(err.Error()) > 1000 {
			t.Errorf("ended with %q", err)
		}
	})
}

// A teller tells the same however an envelope is cut, and of what is JSON exactly
// what JSON says.
func FuzzTeller(f *testing.F) {
	for _, seed := range []string{`{"final_answer":"a"}`, `{"thought":"\"","final_answer":"\u0041\ud83d\ude00\ud83d\n"}`, `{"a":{"final_answer":"b"},"final_answer":"c"}`, `[{"final_answer":"b"}]`, `{"final_answer":"\ud83d\u0041"}`} {
		f.Add(seed, 3)
	}
	f.Fuzz(func(t *testing.T, text string, n int) {
		whole, cut := hermes.Told(text, 1<<30), hermes.Told(text, max(1, n%16))
		if whole != cut {
			t.Errorf("%q: %q whole, %q cut", text, whole, cut)
		}
		if utf8.ValidString(text) && !utf8.ValidString(whole) {
			t.Errorf("%q: told %q", text, whole)
		}
		_, final, err := hermes.OpenEnvelope(text)
		var want string
		if err == nil && json.Unmarshal(final, &want) == nil && strings.HasPrefix(text, "{") && utf8.ValidString(text) && strings.Count(text, "final_answer") == 1 && whole != want {
			t.Errorf("%q: told %q, want %q", text, whole, want)
		}
	})
}
