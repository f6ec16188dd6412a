package actors

import (
	"testing"

	"kurogo/messages"
)

// TestBill: some agents say what a turn cost, others what the session has cost
// since it began, even across lives; only the difference is this turn's.
func TestBill(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name           string
		billed         int64
		told           []messages.Usage
		micros, border int64
		tokens         int64
	}{
		{"a turn's own cost adds up", 50, []messages.Usage{{CostMicros: 3, OutputTokens: 1}, {CostMicros: 4, OutputTokens: 2}}, 7, 50, 3},
		{"of a session only the difference counts", 50, []messages.Usage{{CostMicros: 60, Cumulative: true}, {CostMicros: 72, OutputTokens: 5, Cumulative: true}}, 22, 72, 5},
		{"a session that counts less has begun anew", 50, []messages.Usage{{CostMicros: 9, Cumulative: true}}, 9, 9, 0},
		{"who says nothing costs nothing", 50, nil, 0, 50, 0},
	} {
		p := &Persona{billed: c.billed, turn: &turn{}}
		for _, u := range c.told {
			p.turn.use(u)
		}
		b := p.bill()
		if b.Micros != c.micros || b.Billed != c.border || b.OutputTokens != c.tokens {
			t.Errorf("%s: got %+v, want %d, %d at the border, %d tokens", c.name, b, c.micros, c.border, c.tokens)
		}
	}
}
