package hermes_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"kurogo/drivers/drivertest"
	"kurogo/drivers/hermes"
	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

const path = "./app/main.py"

// The story of the document: a file is written, and the answer comes.
func TestToolsAreUsedUntilTheAnswerComes(t *testing.T) {
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			l, model := w.scripted(t, messages.Spec{SystemPrompt: "You are a CODER.", Tools: tools("write_file", "read_file")},
				w.says("I write it.", "", call("write_file", map[string]string{"path": path, "content": "print('こんにちは')"}), call("read_file", map[string]string{"path": path})),
				w.says("", "main.py を作成しました。"))
			l.Tool = func(c messages.ToolCall) messages.ToolResult { return messages.ToolResult{Text: "done: " + c.Name} }
			end := l.Turn("Say hello.")
			if end.Class != messages.ClassNone || end.Text != "main.py を作成しました。" {
				t.Errorf("end %+v", end)
			}
			if got := l.All(messages.DriverThought); !slices.Equal(got, []string{"I write it."}) {
				t.Errorf("thought %q", got)
			}
			var kinds []string
			for _, e := range l.Heard {
				if strings.HasPrefix(string(e.Kind), "tool") {
					kinds = append(kinds, string(e.Kind)+" "+e.Tool.ID+" "+e.Tool.Name)
				}
			}
			if want := []string{
				"tool_started turn-1/1 write_file", "tool_asked turn-1/1 write_file", "tool_ended turn-1/1 write_file",
				"tool_started turn-1/2 read_file", "tool_asked turn-1/2 read_file", "tool_ended turn-1/2 read_file",
			}; !slices.Equal(kinds, want) {
				t.Errorf("tools %q", kinds)
			}
			var input map[string]string
			if err := json.Unmarshal(l.Calls[0].Input, &input); err != nil || input["path"] != path || input["content"] != "print('こんにちは')" {
				t.Errorf("asked with %s", l.Calls[0].Input)
			}
			r := model.Requests()[1]
			if !strings.HasPrefix(r.System, "You are a CODER.") || r.Turn() != "Say hello." || r.Step() != 1 {
				t.Errorf("asked %+v", r)
			}
			results := strings.Join(r.Messages[len(r.Messages)-1].Results, "\n")
			if !strings.Contains(results, "done: write_file") || !strings.Contains(results, "done: read_file") {
				t.Errorf("it heard %q", results)
			}
			if got := len(r.Tools) > 0; got != w.native {
				t.Errorf("tools of the service's own: %q", r.Tools)
			}
			if w.native == strings.Contains(r.System, "write_file") {
				t.Errorf("the system prompt is %s", r.System)
			}
			wire := string(r.Body)
			if !strings.Contains(wire, `"role":"tool"`) || w.native == strings.Contains(wire, `"format":{`) && w.api == hermes.Ollama {
				t.Errorf("asked with %s", wire)
			}
		})
	}
}

// Calls and a final answer together: the answer counts if all of them succeed.
func TestAnAnswerBesideCalls(t *testing.T) {
	w := ways[0]
	for name, c := range map[string]struct {
		refused bool
		want    string
		asked   int
	}{
		"all succeed": {false, "Made.", 1},
		"one fails":   {true, "It was there.", 2},
	} {
		t.Run(name, func(t *testing.T) {
			l, model := w.scripted(t, messages.Spec{Tools: tools("write_file")},
				modeltest.Hermes("", "Made.", call("write_file", map[string]string{"path": "a"}), call("write_file", map[string]string{"path": "b"})),
				modeltest.Hermes("", "It was there."))
			l.Tool = func(c messages.ToolCall) messages.ToolResult {
				return messages.ToolResult{IsError: c.ID == "turn-1/1" && name == "one fails", Text: "409"}
			}
			if end := l.Turn("Make them."); end.Class != messages.ClassNone || end.Text != c.want {
				t.Errorf("end %+v", end)
			}
			if got := len(model.Requests()); got != c.asked || len(l.Calls) != 2 {
				t.Errorf("asked %d times, used %d tools", got, len(l.Calls))
			}
		})
	}
}

func TestAnAnswerThatCannotBeUsedIsAskedForAgain(t *testing.T) {
	for name, c := range map[string]struct{ bad, why string }{
		"no JSON":             {"Sure! Here it is.", "no JSON object"},
		"half of it":          {`{"thought": "hm`, "unexpected end"},
		"two":                 {`{"final_answer":"a"}{"final_answer":"b"}`, "after top-level value"},
		"another key":         {`{"final_answer":"a","confidence":1}`, `no key "confidence"`},
		"arguments":           {`{"tool_calls":[{"name":"read_file","arguments":{}}]}`, `no key "arguments"`},
		"no name":             {`{"tool_calls":[{"parameters":{}}]}`, "has no name"},
		"parameters are text": {`{"tool_calls":[{"name":"read_file","parameters":"a"}]}`, "must be an object"},
		"calls are no list":   {`{"tool_calls":{}}`, "must be a list"},
		"thought is no text":  {`{"thought":1,"final_answer":"a"}`, "thought must be a string"},
		"neither":             {`{"thought":"hm"}`, "neither tool_calls nor final_answer"},
		"an object":           {`{"final_answer":{"a":1}}`, "must be a string"},
		"an empty one":        {`{"final_answer":" "}`, "is empty"},
		"deep":                {strings.Repeat(`{"thought":`, 20000), "no valid JSON"},
		"null":                {"null", "no JSON object"},
		"nothing":             {"", "no JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			l, model := ways[0].scripted(t, messages.Spec{Tools: tools("read_file")}, modeltest.Step{Text: c.bad}, modeltest.Hermes("", "Good."))
			if end := l.Turn("Work."); end.Class != messages.ClassNone || end.Text != "Good." {
				t.Fatalf("end %+v", end)
			}
			r := model.Requests()[1]
			told := r.Messages[len(r.Messages)-1].Results
			if len(told) != 1 || !strings.HasPrefix(told[0], modeltest.Loop) || !strings.Contains(told[0], c.why) {
				t.Errorf("it was told %q", told)
			}
			if len(l.Calls) != 0 {
				t.Errorf("it used %+v", l.Calls)
			}
		})
	}
}

func TestJSONThatStaysInvalidEndsTheTurn(t *testing.T) {
	bad := modeltest.Step{Text: "I would rather talk."}
	good := modeltest.Hermes("", "", call("read_file", map[string]string{}))
	l, model := ways[0].scripted(t, messages.Spec{Tools: tools("read_file")}, bad, good, bad, bad)
	end := l.Turn("Work.")
	if end.Class != messages.ClassFormat || !strings.HasPrefix(end.Text, "model JSON stayed invalid") {
		t.Errorf("end %+v", end)
	}
	if got := len(model.Requests()); got != 4 { // one that could be used lies between
		t.Errorf("asked %d times", got)
	}
	if end := l.Turn("Work."); end.Class != messages.ClassFormat || len(model.Requests()[4].Messages) != 1 {
		t.Errorf("the turn that failed is remembered: %+v", model.Requests()[4].Messages)
	}
}

func TestWhatIsNotAToolIsSaidSo(t *testing.T) {
	for _, w := range ways {
		l, model := w.scripted(t, messages.Spec{Tools: tools("read_file")}, w.says("", "", call("rm", map[string]string{"path": "/"})), w.says("", "Then not."))
		if end := l.Turn("Work."); end.Text != "Then not." || len(l.Calls) != 0 {
			t.Errorf("%s: end %+v, calls %+v", w.name, end, l.Calls)
		}
		r := model.Requests()[1]
		if told := strings.Join(r.Messages[len(r.Messages)-1].Results, ""); !strings.Contains(told, "there is no tool rm: there are read_file") {
			t.Errorf("%s: it was told %q", w.name, told)
		}
	}
}

func TestArgumentsThatAreNoJSONAreFedBack(t *testing.T) {
	l, model := ways[3].scripted(t, messages.Spec{Tools: tools("read_file")}, modeltest.Step{Tools: []modeltest.Tool{call("read_file", `{"path":`)}}, modeltest.Step{Text: "Sorry."})
	if end := l.Turn("Work."); end.Text != "Sorry." || len(l.Calls) != 0 {
		t.Errorf("end %+v, calls %+v", end, l.Calls)
	}
	r := model.Requests()[1]
	if told := strings.Join(r.Messages[len(r.Messages)-1].Results, ""); !strings.Contains(told, "no JSON object") {
		t.Errorf("it was told %q", told)
	}
}

// A service that has no tool calls says so once; then all is asked for in JSON.
func TestAServiceWithoutToolCalls(t *testing.T) {
	for _, w := range []way{ways[1], ways[3]} {
		model := modeltest.New(t)
		model.Add(
			func(r modeltest.Request) (modeltest.Step, bool) {
				return modeltest.Step{Status: 400, Message: "scripted does not support tools"}, len(r.Tools) > 0
			},
			modeltest.Turn(modeltest.Anybody, modeltest.Hermes("", "", sends), modeltest.Hermes("", "Done.")))
		o := w.options(model)
		d := hermes.New(o)
		for i := range 2 {
			l := drivertest.Begin(t, d, named(messages.Spec{Tools: tools("send_message")}))
			if end := l.Turn("Work."); end.Text != "Done." || len(l.Calls) != 1 {
				t.Errorf("%s: end %+v, %+v", w.name, end, l.Heard)
			}
			if warned := len(l.All(messages.DriverWarned)) > 0; warned != (i == 0) {
				t.Errorf("%s: life %d: warned %t", w.name, i, warned)
			}
		}
		if got := len(model.Requests()); got != 5 {
			t.Errorf("%s: asked %d times", w.name, got)
		}
		r := model.Requests()[2]
		if r.Step() != 1 || !strings.Contains(string(r.Body), `"role":"user","content":"[kurogo: what a tool answered] `) {
			t.Errorf("%s: who has no tools may not hear them: %s", w.name, r.Body)
		}
	}
}

// Other things that a service may not take are left out at its first word.
func TestAServiceThatTakesLess(t *testing.T) {
	for word, refused := range map[string]string{
		"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.": `"max_tokens"`,
		"'response_format.type' must be 'text'":                                     `"response_format"`,
		"Unsupported value: 'temperature' does not support 0.":                      `"temperature"`,
		"stream_options is unknown":                                                 `"stream_options"`,
	} {
		model := modeltest.New(t)
		model.Add(
			func(r modeltest.Request) (modeltest.Step, bool) {
				return modeltest.Step{Status: 400, Message: word}, strings.Contains(string(r.Body), refused)
			},
			modeltest.Turn(modeltest.Anybody, modeltest.Hermes("", "Done.")))
		o := ways[2].options(model)
		o.MaxTokens, o.Temperature = 100, new(float64)
		l := begin(t, o, messages.Spec{Tools: tools("read_file")})
		for range 2 {
			if end := l.Turn("Work."); end.Text != "Done." {
				t.Errorf("%s: end %+v", word, end)
			}
		}
		if got := len(model.Requests()); got != 3 {
			t.Errorf("%s: asked %d times", word, got)
		}
	}
}

func TestWhoMayOnlyLookIsOfferedNothingElse(t *testing.T) {
	offered := tools("read_file", "write_file", "unknown")
	offered[0].Hints, offered[1].Hints = &messages.Hints{ReadOnly: true}, &messages.Hints{Destructive: true}
	l, model := ways[1].scripted(t, messages.Spec{Tools: offered, ReadOnly: true}, modeltest.Step{Text: "Seen."})
	l.Turn("Look.")
	if got := model.Requests()[0].Tools; !slices.Equal(got, []string{"read_file"}) {
		t.Errorf("offered %q", got)
	}
}

// Some models write their calls down, whatever their service has.
func TestAnEnvelopeThatNobodyAskedFor(t *testing.T) {
	for _, w := range []way{ways[1], ways[3]} {
		l, model := w.scripted(t, messages.Spec{Tools: tools("read_file"), Deltas: true},
			modeltest.Hermes("I look.", "", call("read_file", map[string]string{"path": path})), modeltest.Step{Text: `{"tool_calls":[{}]}`}, modeltest.Hermes("", "Read."))
		if end := l.Turn("Read."); end.Text != "Read." || len(l.Calls) != 1 || l.Calls[0].Name != "read_file" {
			t.Errorf("%s: end %+v, calls %+v", w.name, end, l.Calls)
		}
		if got := len(model.Requests()); got != 3 || len(l.All(messages.DriverDelta)) != 0 {
			t.Errorf("%s: asked %d times, told %q", w.name, got, l.All(messages.DriverDelta))
		}
		l, _ = w.scripted(t, messages.Spec{Tools: tools("read_file")}, modeltest.Step{Text: `{"score":7}`})
		if end := l.Turn("Judge."); end.Text != `{"score":7}` {
			t.Errorf("%s: JSON of another kind: %+v", w.name, end)
		}
	}
}
