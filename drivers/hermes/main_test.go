package hermes_test

import (
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"kurogo/drivers/drivertest"
	"kurogo/drivers/hermes"
	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A way is one of those in which a model can be spoken to.
type way struct {
	name   string
	api    string
	native bool
}

var ways = []way{
	{"Ollama, JSON", hermes.Ollama, false},
	{"Ollama, tool calls", hermes.Ollama, true},
	{"OpenAI, JSON", hermes.OpenAI, false},
	{"OpenAI, tool calls", hermes.OpenAI, true},
}

// says is an answer with words and calls, in the words of the way.
func (w way) says(thought, text string, calls ...modeltest.Tool) modeltest.Step {
	if w.native {
		return modeltest.Step{Thinking: thought, Text: text, Tools: calls}
	}
	return modeltest.Hermes(thought, text, calls...)
}

func (w way) options(model *modeltest.Server) hermes.Options {
	return hermes.Options{Endpoint: model.URL, API: w.api, NativeTools: w.native}
}

var (
	sends  = modeltest.Tool{Name: "send_message", Input: map[string]string{"to": "middle_manager", "content": "Do it. やってください。"}}
	nobody = modeltest.Tool{Name: "no_such_tool", Input: map[string]string{}}
)

// script is what a model says that makes such an agent; false where no model can.
func (w way) script(b drivertest.Behaviour) (rules []modeltest.Rule, can bool) {
	first, last := w.says("", drivertest.First, nobody), w.says("", drivertest.Last)
	speaks := []modeltest.Step{w.says(drivertest.Thought, drivertest.First, nobody), last}
	noisy := func(noise string) []modeltest.Step {
		steps := []modeltest.Step{speaks[0], speaks[1]}
		steps[0].Noise = noise
		return steps
	}
	var steps []modeltest.Step
	switch b {
	case drivertest.Speaks, drivertest.Missing:
		steps = speaks
	case drivertest.Asks, drivertest.AsksInVain:
		steps = []modeltest.Step{w.says("", "", sends), last}
	case drivertest.Fails:
		steps = []modeltest.Step{{Status: 400, Message: drivertest.Last}}
	case drivertest.Dawdles, drivertest.Deaf:
		steps = []modeltest.Step{first, {Hang: true}}
	case drivertest.Floods:
		return []modeltest.Rule{modeltest.Queue(modeltest.Anybody, modeltest.Times(drivertest.Many, first)...), modeltest.Turn(modeltest.Anybody, last)}, true
	case drivertest.Babbles:
		steps = noisy(drivertest.Noise)
	case drivertest.Mumbles:
		steps = noisy("data: {\"x\":\"\xff\xfe\n\xc3\x28\n")
	case drivertest.Shouts:
		steps = noisy(strings.Repeat("x", drivertest.TooLong) + "\n")
	case drivertest.Mute:
		steps = []modeltest.Step{{Hang: true}}
	default: // there is no process that could fall, and no status
		return nil, false
	}
	return []modeltest.Rule{modeltest.Turn(modeltest.Anybody, steps...)}, true
}

func TestExam(t *testing.T) {
	for _, w := range []way{ways[0], ways[3]} { // the others differ in nothing that the exam asks
		for name, once := range map[string]bool{"many turns": false, "one turn": true} {
			t.Run(w.name+", "+name, func(t *testing.T) {
				drivertest.Exam(t, func(t *testing.T, b drivertest.Behaviour) (messages.Driver, messages.Spec) {
					t.Helper()
					rules, can := w.script(b)
					if !can || b == drivertest.Mute && !once {
						t.Skip("a conversation cannot do that")
					}
					model := modeltest.New(t)
					model.Add(rules...)
					o := w.options(model)
					o.MaxTurns, o.MaxCalls, o.ContextTokens, o.TurnTime = 2*drivertest.Many, 2*drivertest.Many, 2000, time.Hour
					o.TurnTokens = 1 << 40
					if b == drivertest.Missing {
						o.Endpoint = "http://127.0.0.1:1"
					}
					return hermes.New(o), messages.Spec{
						Model: modeltest.Model, SystemPrompt: "You are an actor.", OneShot: once, Home: t.TempDir(), Tools: []messages.Tool{drivertest.SendMessage},
					}
				})
			})
		}
	}
}
