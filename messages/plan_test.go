package messages_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"kurogo/messages"
)

func step(id string, needs ...string) messages.PlanStep {
	return messages.PlanStep{ID: id, Work: "do " + id, Needs: needs}
}

func TestAPlanThatCannotBeDoneIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		plan  messages.Plan
		field string
	}{
		"no steps":         {messages.Plan{}, "steps"},
		"the same id":      {messages.Plan{Steps: []messages.PlanStep{step("a"), step("a")}}, "steps[1].id"},
		"no instructions":  {messages.Plan{Steps: []messages.PlanStep{{ID: "a", Work: " "}}}, "steps[0].instructions"},
		"unknown need":     {messages.Plan{Steps: []messages.PlanStep{step("a", "b")}}, "steps[0].needs"},
		"a circle":         {messages.Plan{Steps: []messages.PlanStep{step("a", "b"), step("b", "c"), step("c", "a"), step("d")}}, "steps"},
		"itself":           {messages.Plan{Steps: []messages.PlanStep{step("a", "a")}}, "steps"},
		"a path upward":    {messages.Plan{Steps: []messages.PlanStep{{ID: "a", Work: "x", Files: []string{"src/../../x"}}}}, "steps[0].files"},
		"an absolute path": {messages.Plan{Steps: []messages.PlanStep{{ID: "a", Work: "x", Files: []string{"/etc/passwd"}}}}, "steps[0].files"},
		"no program":       {messages.Plan{Steps: []messages.PlanStep{{ID: "a", Work: "x", Verify: [][]string{{"go"}, {}}}}}, "steps[0].verify[1]"},
		"too many":         {messages.Plan{Steps: make([]messages.PlanStep, 51)}, "steps"},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.plan.Check()
			if e := messages.AsError(err); err == nil || e.Code != messages.CodeInvalid || e.Field != c.field || e.Remedy == "" {
				t.Errorf("%v, want invalid for %s with a remedy", err, c.field)
			}
		})
	}
}

// Whatever the needs are, nobody comes before whom it needs, and a plan in the
// right order keeps it.
func TestStepsComeInTheOrderOfTheirNeeds(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		var p messages.Plan
		for i := range 1 + r.IntN(12) {
			s := step(strconv.Itoa(i))
			for j := range i {
				if r.IntN(3) == 0 {
					s.Needs = append(s.Needs, strconv.Itoa(j))
				}
			}
			p.Steps = append(p.Steps, s)
		}
		if order, err := p.Order(); err != nil || !slices.IsSorted(order) {
			t.Fatalf("seed %d: a plan in order became %v, %v", seed, order, err)
		}
		r.Shuffle(len(p.Steps), func(i, j int) { p.Steps[i], p.Steps[j] = p.Steps[j], p.Steps[i] })
		order, err := p.Order()
		if err != nil || len(order) != len(p.Steps) {
			t.Fatalf("seed %d: %v, %v", seed, order, err)
		}
		done := map[string]bool{}
		for _, i := range order {
			for _, need := range p.Steps[i].Needs {
				if !done[need] {
					t.Fatalf("seed %d: %s came before %s, which it needs", seed, p.Steps[i].ID, need)
				}
			}
			done[p.Steps[i].ID] = true
		}
	}
}

func TestLocalPaths(t *testing.T) {
	for name, want := range map[string]bool{
		"a.go": true, "./app/main.py": true, "a/../b": true, "..a": true, "日本/語.md": true,
		"": false, ".": false, "..": false, "../a": false, "a/../../b": false, "/a": false, "a\x00b": false, `..\a`: false,
	} {
		if got := messages.Local(name); got != want {
			t.Errorf("%q: %t, want %t", name, got, want)
		}
	}
}
