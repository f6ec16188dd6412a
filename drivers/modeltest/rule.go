package modeltest

import (
	"cmp"
	"strconv"
	"sync"
	"time"
)

// Fallback is what is said where no rule applies.
const Fallback = "Nobody wrote anything for this."

// A Step is one answer of the model. The zero value is an empty one.
type Step struct {
	Thinking string
	Text     string
	Tools    []Tool // it uses them, and is asked again with their results

	Delay time.Duration // before it says anything
	Hang  bool          // it begins and says nothing more
	Cut   bool          // the connection breaks in the first block

	Status     int // an error instead
	Message    string
	RetryAfter int    // seconds, in the error's header; 0 = none
	Failure    string // OpenAI: the stream ends with this error code and Message

	Input, Output int // tokens; 0 = 100 and 20
	Cached        int // of the input; OpenAI

	// Of chats only (Ollama, chat completions).
	Noise  string        // these bytes come before anything else
	Repeat int           // it says its text so often; less than 0: until nobody listens
	Drip   time.Duration // between two pieces of what it says
	Type   string        // the content type, in the place of the right one
}

// message is what an error says.
func (s Step) message() string {
	return cmp.Or(s.Message, "scripted "+cmp.Or(s.Failure, strconv.Itoa(s.Status)))
}

// A Tool is a use of a tool. Input becomes JSON; for OpenAI a text stays one. A
// tool of an MCP server is named mcp__server__tool, whatever the service makes of
// that.
type Tool struct {
	Name  string
	Input any
}

// A Rule decides what a request is answered with; false leaves it to the next.
type Rule func(Request) (Step, bool)

// A Match says which requests a rule is for.
type Match func(Request) bool

// Anybody matches every request.
func Anybody(Request) bool { return true }

// Who matches the requests whose system prompt or turn has the words.
func Who(words string) Match { return func(r Request) bool { return r.Says(words) } }

// Turn answers each turn from its beginning: the first request of a turn gets
// the first step, the one with the results of its tools the second. The last
// step answers whatever comes after it. It remembers nothing, so that a turn
// that is given again is answered as before.
func Turn(m Match, steps ...Step) Rule {
	return func(r Request) (Step, bool) {
		if !m(r) || len(steps) == 0 {
			return Step{}, false
		}
		return steps[min(r.Step(), len(steps)-1)], true
	}
}

// Queue answers one request with each step, and leaves all others to the rules
// behind it.
func Queue(m Match, steps ...Step) Rule {
	var mu sync.Mutex
	return func(r Request) (Step, bool) {
		mu.Lock()
		defer mu.Unlock()
		if !m(r) || len(steps) == 0 {
			return Step{}, false
		}
		step := steps[0]
		steps = steps[1:]
		return step, true
	}
}

// Times is the same step n times, for a Queue.
func Times(n int, s Step) []Step {
	out := make([]Step, n)
	for i := range out {
		out[i] = s
	}
	return out
}
