package hermes

import (
	"cmp"
	"time"
)

// Limits bound a turn: a model that never ends ends here. Each has a default.
type Limits struct {
	MaxTurns       int           // requests to the model; 0 = 50
	MaxCalls       int           // uses of tools; 0 = 200
	MaxInvalid     int           // answers in a row that cannot be read; 0 = 2
	MaxAnswerBytes int           // of one answer, its thoughts included; 0 = 1 MiB
	TurnTokens     int64         // of all requests together; 0 = 2,000,000
	TurnTime       time.Duration // of all together, tools included; 0 = 30 minutes
	Stall          time.Duration // between two lines of an answer; 0 = 2 minutes
	Load           time.Duration // before the first: a model may have to be loaded; 0 = 5 minutes
}

func (l Limits) filled() Limits {
	return Limits{
		MaxTurns:       cmp.Or(max(0, l.MaxTurns), 50),
		MaxCalls:       cmp.Or(max(0, l.MaxCalls), 200),
		MaxInvalid:     cmp.Or(max(0, l.MaxInvalid), 2),
		MaxAnswerBytes: cmp.Or(max(0, l.MaxAnswerBytes), 1<<20),
		TurnTokens:     cmp.Or(max(0, l.TurnTokens), 2_000_000),
		TurnTime:       cmp.Or(max(0, l.TurnTime), 30*time.Minute),
		Stall:          cmp.Or(max(0, l.Stall), 2*time.Minute),
		Load:           cmp.Or(max(0, l.Load), 5*time.Minute),
	}
}

const (
	longestLine   = 8 << 20  // of a stream; the rest of a longer one is lost
	longestResult = 64 << 10 // of what a tool answered, as the model hears it
	longestReason = 500      // of a service's own words for what went wrong
	mostWarnings  = 20       // of one answer
)

// raw is how many bytes may come for an answer of most bytes: each few of them
// have a line of JSON around them.
func raw(most int) int64 { return 64*int64(most) + 2*longestLine }
