package main

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"kurogo/actors"
	"kurogo/config"
	"kurogo/evaluate"
	"kurogo/messages"
)

// evaluator is the role that judges documents. It works for evaluations only, and
// nobody sees it in a list.
const evaluator = "evaluator"

// roleList are the roles of the configuration, and those that work for jobs.
func roleList(cfg config.Config) []messages.Role {
	list := slices.Concat(cfg.RoleList(), chatRoles(cfg), runRoles(cfg))
	if e := cfg.Evaluation; !heuristicJudge(e) {
		list = append(list, messages.Role{
			ID: evaluatorID(cfg), Name: evaluator, Driver: e.Driver, Model: e.Model, Tools: []string{}, Isolation: messages.IsolationNone, Hidden: true,
		})
	}
	return list
}

// evaluatorID leaves the name to a role of the configuration that has it.
func evaluatorID(cfg config.Config) string {
	if _, taken := cfg.Roles[evaluator]; taken {
		return "kurogo-" + evaluator
	}
	return evaluator
}

// spare reports whether a driver only judges documents, and the heuristic may do so
// in its place.
func spare(cfg config.Config, driver string) bool {
	for _, p := range cfg.Hierarchy() {
		if p.Driver == driver {
			return false
		}
	}
	for _, r := range cfg.RoleList() {
		if r.Driver == driver {
			return false
		}
	}
	return driver == cfg.Evaluation.Driver && cfg.Evaluation.Mock == nil
}

func heuristicJudge(e config.Evaluation) bool {
	return e.Mock != nil && *e.Mock || slices.Contains([]string{"", actors.HeuristicEvaluator, "mock"}, e.Driver)
}

// evaluations begins whoever leads evaluations, and opens the desk at which they
// are ordered.
func (h *house) evaluations(c actors.Company, leaders map[messages.JobKind]actors.Leader) {
	e := h.cfg.Evaluation
	papers := documents{project: h.site.project, limit: e.DocumentBytes, kept: h.cfg.Workspace.Kept}
	form := &evaluationTemplate{path: e.PromptFile, language: h.cfg.Language, log: h.log}
	bench := &judges{house: h, form: form, role: evaluatorID(h.cfg), probe: c.Crafts[e.Driver].Probe}
	leaders[messages.JobEvaluation] = actors.Assessor{
		Judge: judge(h.cfg, form), Tries: e.Tries, Timeout: e.Timeout, Replace: papers.replace,
	}.Lead
	h.desks = append(h.desks, &actors.EvaluationDesk{
		Journal: h.store, Ledger: h.store, Clock: c.Clock, Keys: c.Keys,
		Terms:         actors.EvaluationTerms{Weights: e.Weights.Rubric(), Target: e.TargetScore, Maximum: e.MaxIterations},
		CheckDocument: papers.check, CheckRubric: evaluate.CheckRubric, CheckTarget: evaluate.CheckTarget,
		Read: papers.read, Writable: papers.writable, Place: h.place, Evaluator: bench.evaluator, Improver: bench.improver,
	})
}

// judge is the arithmetic of evaluations, as it is configured.
func judge(cfg config.Config, form *evaluationTemplate) actors.Judge {
	return actors.Judge{
		Schema: evaluate.Schema(), ImproveSchema: evaluate.ImproveSchema(),
		Prompt:    func(doc string, weights messages.Rubric) string { return form.last().Prompt(doc, weights) },
		Verdict:   evaluate.ParseVerdict,
		Heuristic: evaluate.Heuristic,
		ImprovePrompt: func(doc string, v messages.Verdict, weights messages.Rubric, target float64) string {
			return evaluate.ImprovePrompt(doc, v, weights, target, cfg.Language)
		},
		Improved: evaluate.ParseImproved,
		Stopped:  evaluate.Plateau{Gain: cfg.Evaluation.PlateauGain, Rounds: cfg.Evaluation.PlateauRounds}.Stopped,
		Best:     evaluate.Best,
		Diff:     evaluate.Diff,
	}
}

// judges decide who judges and who improves, from what there is on this machine.
type judges struct {
	house *house
	form  *evaluationTemplate
	role  string
	probe func(context.Context) (messages.Caps, error) // nil: there is no such driver

	mu    sync.Mutex
	found bool // the driver was there once: if it goes, the evaluation says so
	said  bool // that there is none
}

// probing bounds how long a CLI may take to say what it is.
const probing = 30 * time.Second

// evaluator is the role that judges, or the heuristic: where it is wanted, and
// where there is no CLI and nobody insists on one. Errors: unavailable, and invalid
// for a template that cannot be used.
func (j *judges) evaluator(ctx context.Context) (string, error) {
	e := j.house.cfg.Evaluation
	if heuristicJudge(e) {
		return actors.HeuristicEvaluator, nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	var err error
	if !j.found {
		err = j.look(ctx)
		j.found = err == nil
	}
	switch {
	case err == nil:
		_, err = j.form.get()
		return j.role, err
	case ctx.Err() != nil:
		return "", ctx.Err()
	case e.Mock != nil:
		return "", messages.Errorf(messages.CodeUnavailable, "the evaluator %s cannot be used: %s", e.Driver, messages.AsError(err).Message).
			Try(cmp.Or(messages.AsError(err).Remedy, "name another evaluation.driver in kurogo.toml") + "; without USE_MOCK_EVALUATOR=false the heuristic judges")
	case !j.said:
		j.said = true
		j.house.log.Warn("there is no evaluator: the heuristic judges instead", "evaluation.driver", e.Driver, "reason", err)
	}
	return actors.HeuristicEvaluator, nil
}

func (j *judges) look(ctx context.Context) error {
	driver := j.house.cfg.Evaluation.Driver
	if j.probe == nil {
		return messages.Errorf(messages.CodeUnavailable, "there is no driver %q", driver).Try("name another evaluation.driver in kurogo.toml")
	}
	if j.house.unread(driver) {
		return messages.Errorf(messages.CodeUnavailable, "%s only plays what is shipped with kurogo", driver).Try("name another evaluation.driver in kurogo.toml")
	}
	ctx, cancel := context.WithTimeout(ctx, probing)
	defer cancel()
	_, err := j.probe(ctx)
	return err
}

// unread reports whether a driver plays the shipped performance, in which nobody
// reads a document.
func (h *house) unread(driver string) bool {
	d := h.cfg.Drivers[driver]
	return d.Kind == "rehearsal" && d.Performance == ""
}

// improver is the role that rewrites documents, if it can be run.
func (j *judges) improver(ctx context.Context) (string, error) {
	id := j.house.cfg.ImproverRole()
	if id == "" {
		return "", messages.Errorf(messages.CodeUnavailable, "there is no role that improves documents").Try("write one into kurogo.toml, and name it in evaluation.improver")
	}
	answer, _, err := j.house.agents.Ask(ctx, messages.ListRoles{})
	if err != nil {
		return "", err
	}
	list, _ := answer.(messages.Roles)
	for _, r := range list.Roles {
		if r.ID != id {
			continue
		}
		why := actors.Unavailable(r)
		if why == "" && j.house.unread(r.Driver) {
			why = r.Driver + " only plays what is shipped with kurogo"
		}
		if why != "" {
			return "", messages.Errorf(messages.CodeUnavailable, "the role %s cannot improve documents: %s", id, why).Try("see kurogo roles, or name another role in evaluation.improver")
		}
		return id, nil
	}
	return "", messages.Errorf(messages.CodeUnavailable, "there is no role %q", id).Try("name another in evaluation.improver")
}
