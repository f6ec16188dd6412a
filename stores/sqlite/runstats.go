package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"kurogo/messages"
)

// RunStats returns the figures of the runs that have ended since.
func (s *Store) RunStats(ctx context.Context, q messages.GetStats) (out messages.Stats, err error) {
	t := tally{plans: map[string]string{}, agreement: []float64{}}
	err = s.view(ctx, func(c querier) error {
		if err := each(ctx, c, `SELECT output, ended_at - created_at FROM jobs WHERE kind = 'run' AND status IN('completed','failed') AND ended_at >= ? ORDER BY num`,
			[]any{ms(q.Since)}, t.ended); err != nil {
			return err
		}
		return each(ctx, c, `SELECT e.kind, e.body FROM job_entries e JOIN jobs j ON j.num = e.job_num
			WHERE j.kind = 'run' AND j.ended_at >= ? AND j.status IN('completed','failed') AND e.kind IN('plan','step','tool_result') ORDER BY j.num, e.seq`, []any{max(1, ms(q.Since))}, t.entry)
	})
	if err != nil {
		return out, fmt.Errorf("read runs: %w", err)
	}
	return t.stats(), nil
}

// A tally counts what the stats are made of.
type tally struct {
	messages.Stats
	tried     int // runs that were to do something
	times     []int64
	plans     map[string]string // by hash: the first that was made
	same      int
	attempts  int
	agreement []float64
}

func (t *tally) ended(r *sql.Rows) error {
	var text string
	var took int64
	if err := r.Scan(&text, &took); err != nil {
		return err
	}
	if text == "" {
		return nil // it ended without any output of its own
	}
	var o messages.RunOutput
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return fmt.Errorf("read outcome: %w", err)
	}
	t.Runs++
	t.times = append(t.times, took)
	switch o.Status {
	case "planned":
		return nil
	case "done":
		t.Done++
	case "partial":
		t.Partial++
	}
	t.tried++
	if o.Plan != nil && len(o.Files) > 0 && len(o.Plan.Relied) > 0 {
		t.agreement = append(t.agreement, agreement(o.Plan.Relied, o.Files))
	}
	return nil
}

// agreement is the part of the changed files that the plan relied on.
func agreement(relied, changed []string) float64 {
	n := 0
	for _, f := range changed {
		if slices.ContainsFunc(relied, func(p string) bool {
			p, _, _ = strings.Cut(p, "#")
			return strings.TrimPrefix(p, "./") == strings.TrimPrefix(f, "./")
		}) {
			n++
		}
	}
	return float64(n) / float64(len(changed))
}

func (t *tally) entry(r *sql.Rows) error {
	var kind, body string
	if err := r.Scan(&kind, &body); err != nil {
		return err
	}
	switch kind {
	case messages.TracePlan:
		var p messages.RunPlan
		if json.Unmarshal([]byte(body), &p) == nil && p.Source == "" && p.Error == "" {
			t.planned(p)
		}
	case messages.TraceStep:
		var s messages.StepResult
		if json.Unmarshal([]byte(body), &s) == nil && s.State == messages.StepDone && s.Attempt > 1 {
			t.Repairs++
			t.attempts += s.Attempt - 1
		}
	case messages.TraceToolResult:
		var call messages.RunCall
		if json.Unmarshal([]byte(body), &call) == nil && call.Refused {
			t.Refusals++
		}
	}
	return nil
}

// planned compares a plan with the first one that was made from the same.
func (t *tally) planned(p messages.RunPlan) {
	b, err := json.Marshal(p.Plan)
	if err != nil {
		return
	}
	first, again := t.plans[p.Hash]
	switch {
	case !again:
		t.plans[p.Hash] = string(b)
		return
	case first == string(b):
		t.same++
	}
	t.Replanned++
}

func (t *tally) stats() messages.Stats {
	share := func(part, whole int) float64 {
		if whole == 0 {
			return 0
		}
		return float64(part) / float64(whole)
	}
	t.Success, t.Reproduced, t.RepairSize = share(t.Done, t.tried), share(t.same, t.Replanned), share(t.attempts, t.Repairs)
	if slices.Sort(t.times); len(t.times) > 0 {
		t.P95 = t.times[(len(t.times)*95+99)/100-1]
	}
	for _, a := range t.agreement {
		t.Evidence += a / float64(len(t.agreement))
	}
	return t.Stats
}
