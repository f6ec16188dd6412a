package sqlite

import (
	"context"
	"encoding/json"
	"fmt"

	"kurogo/messages"
)

// keepPlan remembers a plan; the newest one counts.
func (s *step) keepPlan(c messages.KeepPlan) (out messages.Outcome, err error) {
	b, err := json.Marshal(c.Plan)
	if err != nil {
		return out, fmt.Errorf("encode plan: %w", err)
	}
	return out, s.exec(`INSERT INTO plans(hash, plan, kept_at) VALUES(?1,?2,?3) ON CONFLICT(hash) DO UPDATE SET plan = ?2, kept_at = ?3`, c.Hash, string(b), ms(c.Now))
}

// Plan returns the plan that was kept under a hash. Errors: not_found.
func (s *Store) Plan(ctx context.Context, hash string) (p messages.Plan, err error) {
	var text string
	if err := s.scanOne(ctx, &text, `SELECT plan FROM plans WHERE hash = ?`, hash); err != nil {
		return p, err
	}
	if text == "" {
		return p, messages.Errorf(messages.CodeNotFound, "there is no plan %s", hash).Try("ask for one")
	}
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return p, fmt.Errorf("read plan %s: %w", hash, err)
	}
	return p, nil
}
