package hermes

import "kurogo/messages"

// bytesPerToken is a careful guess, for any language.
const bytesPerToken = 3

// shortestResult is what a tool's answer keeps however narrow the window is.
const shortestResult = 512

// window is as much of a conversation as fits beside taken bytes and an answer:
// older turns go first, then the older rounds of the present one, then the ends
// of long results. What a tool answered never stands without its call.
func window(said []message, tokens, taken int) []message {
	room := tokens*bytesPerToken*3/4 - taken
	all := size(said)
	if all <= room {
		return said
	}
	for all > room {
		n := firstTurn(said)
		if n == len(said) {
			break
		}
		all -= size(said[:n])
		said = said[n:]
	}
	if all <= room || len(said) == 0 {
		return said
	}
	from := 1
	for all > room {
		n := round(said[from:])
		if from+n == len(said) {
			break
		}
		all -= size(said[from : from+n])
		from += n
	}
	said = append([]message{said[0]}, said[from:]...)
	if all <= room {
		return said
	}
	each := max(shortestResult, (room-said[0].size())/len(said))
	for i := range said {
		if i > 0 && said[i].Role != roleAssistant {
			said[i].Text = messages.Cut(said[i].Text, each)
		}
	}
	return said
}

func size(said []message) int {
	n := 0
	for _, m := range said {
		n += m.size()
	}
	return n
}

// round is how many messages the first round has: what the model said, and what
// it heard of that.
func round(said []message) int {
	for i, m := range said {
		if i > 0 && m.Role == roleAssistant {
			return i
		}
	}
	return len(said)
}
