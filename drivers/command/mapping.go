package command

import (
	"fmt"
	"maps"
	"slices"

	"kurogo/messages"
)

// An Event says what one type of line means. With When it means that only where
// every path holds that value; a value of true or 7 is written "true" or "7".
//
// Each names a list within the line: every object in it is an event of its own,
// whose type is that of the line, a dot and its own. So Claude's
//
//	{"type":"assistant","message":{"content":[{"type":"text","text":"Hi"}]}}
//
// is {Each: "message.content"} for "assistant" and {Kind: "said", Text: "text"}
// for "assistant.text".
type Event struct {
	Kind string            // one of the kinds below; "" only where Each is set
	When map[string]string // path → value
	Each string            // path of a list of events

	Text string            // said, thought, warned: what; ended: the final text, else the last that was said; failed, and ended otherwise than Good: why
	Join bool              // said, thought: it is a piece, which goes on until something else comes
	Good map[string]string // ended: path → value; where one differs, the turn has failed

	ID    string // tools
	Name  string
	Input string

	InputTokens  string // of any kind: what was used since the last line that said so
	OutputTokens string
	CachedTokens string
	Cost         string // in dollars
}

// The kinds of event. Where no type of line is Ended, the turn ends with the
// output, and something must have been said.
const (
	Said        = "said"
	Thought     = "thought"
	Tool        = "tool" // used, from beginning to end
	ToolStarted = "tool_started"
	ToolEnded   = "tool_ended"
	Used        = "used"
	Warned      = "warned"
	Ended       = "ended"
	Failed      = "failed" // the turn is over, and not well
	Ignored     = "ignored"
)

var kinds = []string{Said, Thought, Tool, ToolStarted, ToolEnded, Used, Warned, Ended, Failed, Ignored}

// checkEvents says which field of the table cannot work.
func (o Options) checkEvents() error {
	if len(o.Events) == 0 {
		return messages.Invalid("events", "no type of line means anything").Try("say at least which one holds the text")
	}
	for _, name := range slices.Sorted(maps.Keys(o.Events)) {
		e, field := o.Events[name], "events."+name
		needs := ""
		switch e.Kind {
		case Said, Thought, Warned:
			needs = map[bool]string{true: field + ".text"}[e.Text == ""]
		case Tool, ToolStarted:
			needs = map[bool]string{true: field + ".name"}[e.Name == ""]
		case ToolEnded:
			needs = map[bool]string{true: field + ".id"}[e.ID == ""]
		case Used:
			needs = map[bool]string{true: field + ".input_tokens"}[e.InputTokens+e.OutputTokens+e.CachedTokens+e.Cost == ""]
		case "":
			needs = map[bool]string{true: field + ".kind"}[e.Each == ""]
		}
		switch {
		case e.Kind != "" && !slices.Contains(kinds, e.Kind):
			return messages.Invalid(field+".kind", "%q is no kind of event", e.Kind).Try(fmt.Sprintf("say one of %v", kinds))
		case needs != "":
			return messages.Invalid(needs, "it is needed, and not there").Try("name the path of it")
		}
	}
	return nil
}

// ends reports whether the program has a word for the end of its turn.
func (o Options) ends() bool {
	for _, e := range o.Events {
		if e.Kind == Ended {
			return true
		}
	}
	return false
}

// priced reports whether the program tells what it costs.
func (o Options) priced() bool {
	for _, e := range o.Events {
		if e.Cost != "" {
			return true
		}
	}
	return false
}
