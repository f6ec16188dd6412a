package actors

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/messages"
)

// planTries is how often a plan is asked for: what cannot be read is asked for once
// more, with what was wrong.
const planTries = 2

// makePlan takes the plan that was given, or finds out what one would be made from.
func (r *PlannedRun) makePlan(c actor.Context) {
	if r.in.Plan != nil {
		r.accept(c, messages.RunPlan{Plan: *r.in.Plan, Source: "given"})
		return
	}
	r.Keep([]string{"surveying"})
	r.beside(c, func(ctx context.Context) any {
		hash, files, err := r.Survey(ctx, r.in.Root)
		m := surveyed{hash: hash, files: files, err: err}
		if err == nil {
			m.evidence = r.Evidence(ctx, r.in.Root, r.in.Task)
		}
		return m
	})
}

// surveyed looks whether the same was planned before; if not, it asks.
func (r *PlannedRun) surveyed(c actor.Context, m surveyed) {
	if m.err != nil {
		e := messages.AsError(m.err)
		r.fail(c, exitFailed, e.Code, "the root cannot be read: "+e.Message)
		return
	}
	role, ok := r.role(r.in.Planner)
	if !ok {
		r.fail(c, exitFailed, messages.CodeUnavailable, fmt.Sprintf("there is no role %q to plan", r.in.Planner))
		return
	}
	prompt := PlanPrompt(r.in.Task, m.files, r.Rules.Programs, r.Language)
	sum := sha256.Sum256(bytes.Join([][]byte{[]byte(prompt), []byte(m.hash), []byte(role.Driver), []byte(role.Model), []byte(role.SystemPrompt)}, []byte{0}))
	r.hash = hex.EncodeToString(sum[:16])
	if !r.in.Replan {
		known, err := r.Plan(r.ctx, r.hash)
		if err == nil {
			r.accept(c, messages.RunPlan{Plan: known, Hash: r.hash, Source: "reused"})
			return
		}
		if !messages.IsCode(err, messages.CodeNotFound) {
			panic(fmt.Errorf("find plan: %w", err))
		}
	}
	r.prompt = prompt + evidenceText(m.evidence, r.Language)
	r.askPlan(c)
}

// askPlan has the planner asked, and told what was wrong with its last answer.
func (r *PlannedRun) askPlan(c actor.Context) {
	role, _ := r.role(r.in.Planner)
	prompt := r.prompt
	if n := len(r.asked); n > 0 && !r.asked[n-1].Lost {
		prompt += "\n\n" + complaint(r.asked[n-1].Error, r.Language)
	}
	terms := messages.Terms{System: PlannerSystem(r.Language), Schema: PlanSchema(), ReadOnly: true, Tools: lookingTools()}
	a, err := r.Send(fmt.Sprintf("plan %d", len(r.asked)+1), r.Draft(role, prompt, r.in.Root, r.Rules.PlanTimeout, terms))
	if err != nil {
		r.busy(c, err)
		return
	}
	r.waiting = a.ID
	if a.Outcome != "" { // it has done so in a former life
		r.woken(c)
		return
	}
	r.Keep([]string{"planning"})
}

// planned takes what the planner said.
func (r *PlannedRun) planned(c actor.Context, a messages.AgentDetail) {
	said := messages.RunPlan{Hash: r.hash, Agent: a.ID}
	exit, code := exitFormat, messages.CodeInternal
	var err error
	if a.Outcome == messages.AgentCompleted {
		if said.Plan, err = ParsePlan(a.Text); err == nil {
			r.remember(said)
			r.accept(c, said)
			return
		}
		said.Error = messages.Cut(err.Error(), taskReason)
	} else {
		e := fallen(a)
		said.Error, said.Lost, code = e.Message, a.Outcome == messages.AgentLost, e.Code
		if a.Run.Class != messages.ClassFormat {
			exit = exitFailed
		}
		if a.Outcome == messages.AgentCancelled || !said.Lost && !a.Run.Class.Retryable() {
			r.fail(c, exit, code, "no plan: "+e.Message)
			return
		}
	}
	said.Plan = messages.Plan{}
	r.asked = append(r.asked, said)
	if r.wasted() >= planTries {
		r.fail(c, exit, code, "no plan: "+said.Error, Entry(messages.TracePlan, said))
		return
	}
	r.Keep(nil, Entry(messages.TracePlan, said))
	if r.prompt == "" { // of a former life
		r.makePlan(c)
		return
	}
	r.askPlan(c)
}

// wasted counts the answers of planners that were no plan. That kurogo fell is
// nobody's answer.
func (r *PlannedRun) wasted() (n int) {
	for _, a := range r.asked {
		if !a.Lost {
			n++
		}
	}
	return n
}

// remember keeps a plan, so that the same task in the same place has the same one.
func (r *PlannedRun) remember(p messages.RunPlan) {
	if p.Hash == "" {
		return
	}
	if _, err := r.Journal.Commit(context.Background(), messages.KeepPlan{Hash: p.Hash, Plan: p.Plan, Now: r.Clock.Now()}); err != nil {
		panic(fmt.Errorf("keep plan: %w", err))
	}
}

// accept goes on with a plan.
func (r *PlannedRun) accept(c actor.Context, p messages.RunPlan) {
	r.Keep([]string{"planned"}, Entry(messages.TracePlan, p))
	if err := r.adopt(p); err != nil {
		r.fail(c, exitFailed, messages.CodeInvalid, err.Error())
		return
	}
	r.proceed(c)
}

// adopt makes a plan the run's own; one that says what was wrong is none.
func (r *PlannedRun) adopt(p messages.RunPlan) (err error) {
	if p.Error != "" {
		r.asked = append(r.asked, p)
		return nil
	}
	if r.order, err = p.Plan.Order(); err == nil {
		r.plan = &p.Plan
	}
	return err
}

// ParsePlan reads a planner's answer: exactly one JSON object, which may stand in a
// fence. Errors: invalid, for the planner to read.
func ParsePlan(text string) (p messages.Plan, err error) {
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "```json"); ok {
		text = strings.TrimSuffix(strings.TrimSpace(inner), "```")
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return p, messages.Invalid("plan", "it is not the JSON that was asked for: %v", err).Try("answer with one JSON object of the schema, and nothing else")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return p, messages.Invalid("plan", "something follows the JSON").Try("answer with one JSON object of the schema, and nothing else")
	}
	return p, p.Check()
}
