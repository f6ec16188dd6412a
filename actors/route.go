package actors

import (
	"slices"
	"strings"

	"kurogo/messages"
)

// Route decides whether a message may go where it wants to. It is pure: senders
// ask it for themselves before they commit, so the router never has to.
// requester is who waits for the task of the sender's turn, "" outside a turn:
// writing back to it is always allowed. Refusals: invalid, not_found, denied.
func Route(h messages.Hierarchy, m messages.CCMessage, requester messages.Address) error {
	if m.From == m.To {
		return messages.Invalid("to", "%s would write to itself", m.From).Try("write to somebody else, or just do the work")
	}
	if _, ok := h[m.To]; !ok && m.To != messages.User {
		return messages.Errorf(messages.CodeNotFound, "nobody is called %s", m.To).Try("write to one of " + names(h.Names()))
	}
	if m.From == messages.User {
		if tops := h.Tops(); !slices.Contains(tops, m.To) {
			return messages.Errorf(messages.CodeDenied, "the user may not write to %s", m.To).Try("write to " + names(tops))
		}
		return nil
	}
	sender := h[m.From]
	if m.Type.Answers() && m.To != requester {
		e := messages.Errorf(messages.CodeDenied, "a %s goes to whoever asked", m.Type)
		if requester == "" {
			return e.Try("nobody asked in this turn: send an info")
		}
		return e.Try("send it to " + string(requester) + ", or send an info")
	}
	switch {
	case m.To == messages.User && sender.ReportsTo != messages.User:
		return messages.Errorf(messages.CodeDenied, "%s may not write to the user", m.From).Try("write to " + string(sender.ReportsTo))
	case m.To == messages.User && !m.Type.Answers() && m.Type.Turns():
		return messages.Errorf(messages.CodeDenied, "only an answer reaches the user").Try("end your turn with what the user should read")
	case m.To == requester && m.Type != messages.TaskRequest, m.To == messages.User:
		return nil
	case !slices.Contains(sender.TalksTo, m.To):
		return messages.Errorf(messages.CodeDenied, "%s may not write to %s", m.From, m.To).Try("write to " + names(sender.TalksTo))
	}
	return nil
}

func names(list []messages.Address) string {
	if len(list) == 0 {
		return "nobody"
	}
	out := make([]string, len(list))
	for i, a := range list {
		out[i] = string(a)
	}
	return strings.Join(out, ", ")
}
