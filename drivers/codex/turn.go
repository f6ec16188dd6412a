package codex

import (
	"cmp"
	"strings"

	"kurogo/drivers/ndjson"
	"kurogo/messages"
)

// ended is a turn as the CLI tells of it.
type ended struct {
	ID     string   `json:"id"`
	Status string   `json:"status"`
	Error  *failure `json:"error"`
}

// started hears that the CLI has taken a turn, or has not.
func (d *dialogue) started(ours string, m message) (ndjson.Heard, error) {
	if ours != d.turn.ours {
		return ndjson.Heard{}, nil
	}
	if m.Error != nil {
		return d.end(failure{Message: m.Error.Message}), nil
	}
	var answer note
	if err := decode(m.Result, &answer); err != nil {
		return ndjson.Heard{}, err
	}
	d.turn.theirs = cmp.Or(answer.Turn.ID, d.turn.theirs)
	if d.turn.interrupted && d.turn.theirs != "" {
		return replied(d.interrupt())
	}
	return ndjson.Heard{}, nil
}

// completed is the end of a turn.
func (d *dialogue) completed(t ended) ndjson.Heard {
	if d.turn.ours == "" || t.ID != d.turn.theirs {
		return ndjson.Warning("the end of a turn that nobody gave")
	}
	switch t.Status {
	case "completed":
		d.good.Session = d.thread
		d.good.Border = border{t.ID, fingerprint(d.spec.SystemPrompt), d.spent.total[d.thread]}.String()
		return d.close(fitted(d.spec, messages.TurnEnd{Text: d.turn.text}))
	case "interrupted":
		return d.close(messages.TurnEnd{Text: "interrupted", Class: messages.ClassInterrupted})
	}
	if t.Error == nil {
		t.Error = &failure{Message: "the turn ended as " + cmp.Or(t.Status, "nothing")}
	}
	return d.end(*t.Error)
}

// end ends a turn that failed.
func (d *dialogue) end(f failure) ndjson.Heard {
	class, wait := f.class()
	end := messages.TurnEnd{Text: f.text(), Class: class}
	switch {
	case d.turn.interrupted && class != messages.ClassAuth:
		end.Text, end.Class = "interrupted", messages.ClassInterrupted
	case class == messages.ClassRate:
		end.RetryAfter = max(wait, d.turn.wait)
	}
	return d.close(end)
}

// close closes the turn that is on. It can be gone on from the last good one:
// what a failed turn left behind is not for the next life.
func (d *dialogue) close(end messages.TurnEnd) ndjson.Heard {
	end.Session, end.Border = d.good.Session, d.good.Border
	d.turn = turn{}
	clear(d.asked) // nobody waits any more
	clear(d.work)
	return ndjson.Heard{Events: []messages.DriverEvent{
		{Kind: messages.DriverUsed, Usage: d.spent.take()},
		{Kind: messages.DriverTurnEnded, End: end},
	}}
}

// text is what went wrong, in one piece.
func (f failure) text() string { return cmp.Or(strings.TrimSpace(f.Message), "the turn failed") }
