package codex

import "kurogo/messages"

// tokens are what was used, as the CLI counts: the input has the cached in it.
type tokens struct{ in, cached, out int64 }

func (t tokens) minus(o tokens) tokens {
	return tokens{max(0, t.in-o.in), max(0, t.cached-o.cached), max(0, t.out-o.out)}
}

func (t tokens) plus(o tokens) tokens { return tokens{t.in + o.in, t.cached + o.cached, t.out + o.out} }

func (t tokens) usage() messages.Usage {
	return messages.Usage{InputTokens: max(0, t.in-t.cached), OutputTokens: t.out, CachedTokens: t.cached}
}

// A meter counts what the turn has used, from what each thread has used in all:
// the CLI counts since the session began, and repeats itself.
type meter struct {
	total map[string]tokens // by thread
	turn  tokens
}

// from is what a thread had used before this life.
func (m *meter) from(thread string, used tokens) {
	if m.total == nil {
		m.total = map[string]tokens{}
	}
	m.total[thread] = used
}

// read takes a thread's count: in all, and by its last request. A thread that is
// new here, or that did not count on, tells by the difference where it began.
func (m *meter) read(thread string, total, last tokens) {
	before, ok := m.total[thread]
	if !ok || total.in < before.in {
		before = total.minus(last)
	}
	m.from(thread, total)
	m.turn = m.turn.plus(total.minus(before))
}

// take ends the turn's count.
func (m *meter) take() messages.Usage {
	u := m.turn.usage()
	m.turn = tokens{}
	return u
}
