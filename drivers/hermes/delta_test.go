package hermes_test

import (
	"slices"
	"strings"
	"testing"

	"kurogo/drivers/hermes"
	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

// What is said aloud comes while it is said, and then once more as a whole.
func TestDeltasAreThePassage(t *testing.T) {
	const text = "She said \"こんにちは\" 👋 and left.\n\tThen \\ she came back, after a rather long while."
	for _, w := range ways {
		for _, wanted := range []bool{true, false} {
			l, _ := w.scripted(t, messages.Spec{Tools: tools("send_message"), Deltas: wanted}, w.says("To myself.", text))
			if end := l.Turn("Speak."); end.Text != text {
				t.Errorf("%s: end %+v", w.name, end)
			}
			told := l.All(messages.DriverDelta)
			if got := strings.Join(told, ""); wanted && got != text || !wanted && got != "" {
				t.Errorf("%s: told %q", w.name, told)
			}
			if wanted && len(told) < 3 {
				t.Errorf("%s: told in %d pieces", w.name, len(told))
			}
			if got := l.All(messages.DriverSaid); !slices.Equal(got, []string{text}) {
				t.Errorf("%s: said %q", w.name, got)
			}
		}
	}
}

func TestThoughtsThatAreWrittenFirstAreNotSaid(t *testing.T) {
	l, _ := ways[0].scripted(t, messages.Spec{Deltas: true}, modeltest.Step{Text: "<think>\nA long thought about it.\n</think>\n\nGood morning to you."})
	end := l.Turn("Speak.")
	if told := strings.Join(l.All(messages.DriverDelta), ""); end.Text != "Good morning to you." || told != end.Text {
		t.Errorf("end %+v, told %q", end, told)
	}
	if got := l.All(messages.DriverThought); !slices.Equal(got, []string{"A long thought about it."}) {
		t.Errorf("thought %q", got)
	}
}

// What an envelope says aloud, however it is cut into pieces.
func TestTellers(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"thought":"final_answer","final_answer":"a"}`, "a"},
		{`{"tool_calls":[{"name":"x","parameters":{"final_answer":"no"}}],"final_answer":"yes"}`, "yes"},
		{`{"final_answer":{"final_answer":"no"}}`, ""},
		{`{"final_answer":"once","final_answer":"twice"}`, "once"},
		{`{"thought":"a \" final_answer\":\"b","final_answer":"c"}`, "c"},
		{`{"final_answer":"\u3042\ud83d\ude00\n\/\\\""}`, "あ😀\n/\\\""},
		{`{"final_answer":"\ud83dx\ud83d"}`, "\uFFFDx\uFFFD"},
		{"```json\n{\"final_answer\": \"a\"}\n```", "a"},
		{`{"final_answer" : "a", "thought":"b"}`, "a"},
		{`no JSON at all`, ""},
	} {
		for size := 1; size <= len(c.text); size++ {
			if got := hermes.Told(c.text, size); got != c.want {
				t.Fatalf("%s in pieces of %d: %q, want %q", c.text, size, got, c.want)
			}
		}
	}
}
