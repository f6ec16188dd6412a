package claude

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"kurogo/drivers/ndjson"
	"kurogo/messages"
)

// The answers of the model's service that mean "wait".
const (
	tooMany    = 429
	overloaded = 529
)

// result is the end of a turn: what it used, and how it ended. The word
// "success" in it proves nothing.
func (d *dialogue) result(e event) ndjson.Heard {
	if d.line != "" && len(e.Answers) > 0 && !slices.Contains(e.Answers, d.line) {
		return ndjson.Warning("the end of a turn that nobody gave")
	}
	if e.SessionID != "" {
		d.session = e.SessionID
	}
	var heard ndjson.Heard
	if len(e.Denials) > 0 {
		heard = ndjson.Warning("it was not allowed to use " + denied(e.Denials))
	}
	end := messages.TurnEnd{Class: d.class(e), Text: e.Result, Session: d.session, Border: d.border}
	switch end.Class {
	case messages.ClassNone:
		end = d.fitted(end, e)
	case messages.ClassInterrupted:
		end.Text = "interrupted" // what it says of it is for its makers
	default:
		end.Text = cmp.Or(e.Result, strings.Join(e.Errors, "; "), e.Subtype, "the turn failed")
		end.RetryAfter = d.wait
	}
	heard.Events = append(heard.Events,
		messages.DriverEvent{Kind: messages.DriverUsed, Usage: d.used(e)},
		messages.DriverEvent{Kind: messages.DriverTurnEnded, End: end})
	clear(d.asked) // nobody waits any more
	clear(d.using)
	return heard
}

// fitted makes the last words those that fit the owner's form. A turn can end well
// without any.
func (d *dialogue) fitted(end messages.TurnEnd, e event) messages.TurnEnd {
	if !d.formed {
		return end
	}
	var text bytes.Buffer
	if err := json.Compact(&text, e.Fitted); err != nil || text.Len() == 0 || text.Bytes()[0] == 'n' { // null
		end.Class, end.Text = messages.ClassFormat, "the model gave no answer that fits the schema: "+messages.Cut(cmp.Or(e.Result, "it said nothing"), 300)
		return end
	}
	end.Text = strings.ToValidUTF8(text.String(), "\uFFFD")
	return end
}

// used counts what the turn cost. The CLI counts from the beginning of the
// session, but a resumed session goes on with the former count or begins anew,
// depending on the version and on how the former life ended. So the difference
// is taken here, within one life, and newer versions say it themselves.
func (d *dialogue) used(e event) messages.Usage {
	cost := e.Cost - d.counted
	if e.Since != nil {
		cost = 0
		for _, s := range e.Since {
			cost += s.Cost
		}
	}
	d.counted = e.Cost
	return messages.Usage{
		InputTokens:  e.Usage.Input + e.Usage.Written,
		OutputTokens: e.Usage.Output,
		CachedTokens: e.Usage.Read,
		CostMicros:   max(0, int64(math.Round(cost*1e6))),
	}
}

// class is why a turn failed, ClassNone if it did not.
func (d *dialogue) class(e event) messages.Class {
	switch {
	case !e.IsError && e.Subtype == "success":
		return messages.ClassNone
	case d.interrupted || strings.HasPrefix(e.Reason, "aborted"):
		return messages.ClassInterrupted
	case e.APIStatus != 0:
		return byStatus(e.APIStatus)
	case strings.HasPrefix(e.Subtype, "error_max_structured_output"):
		return messages.ClassFormat
	case strings.HasPrefix(e.Subtype, "error_max"): // turns or budget: the same again would end the same
		return messages.ClassInvalid
	}
	if c, ok := faults[d.fault]; ok {
		return c
	}
	for _, p := range phrases {
		if strings.Contains(strings.ToLower(e.Result), p.phrase) {
			return p.class
		}
	}
	return messages.ClassServer
}

func byStatus(status int) messages.Class {
	switch {
	case status == 401 || status == 403:
		return messages.ClassAuth
	case status == tooMany || status == overloaded:
		return messages.ClassRate
	case status >= 500:
		return messages.ClassServer
	}
	return messages.ClassInvalid
}

// faults are the CLI's own names of what went wrong.
var faults = map[string]messages.Class{
	"authentication_failed": messages.ClassAuth,
	"billing_error":         messages.ClassAuth,
	"oauth_org_not_allowed": messages.ClassAuth,
	"rate_limit":            messages.ClassRate,
	"overloaded":            messages.ClassRate,
	"server_error":          messages.ClassServer,
	"invalid_request":       messages.ClassInvalid,
	"model_not_found":       messages.ClassInvalid,
}

// phrases are what it says where it names nothing.
var phrases = []clue{
	{"not logged in", messages.ClassAuth},
	{"run /login", messages.ClassAuth},
	{"invalid api key", messages.ClassAuth},
	{"credit balance", messages.ClassAuth},
	{"limit reached", messages.ClassRate},
	{"prompt is too long", messages.ClassInvalid},
}

func denied(all []denial) string {
	count := map[string]int{}
	var names []string
	for _, x := range all {
		if count[x.Tool]++; count[x.Tool] == 1 {
			names = append(names, x.Tool)
		}
	}
	for i, name := range names {
		if n := count[name]; n > 1 {
			names[i] = fmt.Sprintf("%s (%d times)", name, n)
		}
	}
	return messages.Cut(strings.Join(names, ", "), 500)
}
