package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"kurogo/messages"
)

func getStats(_ *http.Request, q *query) messages.Message {
	said := q.text("since")
	since, err := time.Parse(time.RFC3339, said)
	if said != "" && err != nil {
		q.blame(messages.Invalid("since", "%q is no time", messages.Cut(said, 64)).Try("give one such as 2026-01-02T15:04:05Z"))
	}
	return messages.GetStats{Since: since}
}

// orderRun begins a run, and answers before it is over. The body is that of
// run_task, and may have a plan.
func (s *server) orderRun(w http.ResponseWriter, r *http.Request) error {
	if err := queryOf(r).fault(); err != nil {
		return err
	}
	body, err := bodyOf(r)
	if err != nil {
		return err
	}
	var plan *messages.Plan
	if fields, ok := object(body); ok {
		if raw, said := fields["plan"]; said {
			d := json.NewDecoder(bytes.NewReader(raw))
			d.DisallowUnknownFields()
			if err := d.Decode(&plan); err != nil || plan == nil {
				return messages.Invalid("plan", "it is no plan: %v", err).Try("give one as a dry run shows it, or leave it out")
			}
			delete(fields, "plan")
		}
		if body, err = json.Marshal(fields); err != nil {
			return err
		}
	}
	job, err := s.tools.OrderRun(r.Context(), s.o.Caller(r), body, plan)
	if err != nil {
		return err
	}
	return s.ordered(w, job, runs.path)
}

// getRun answers with a run and what came of it; its trace has a route of its own.
func (s *server) getRun(w http.ResponseWriter, r *http.Request) error {
	d, err := runs.find(s, r, noEntries, nothing)
	if err != nil {
		return err
	}
	return s.answer(w, d.Job)
}

// traceRun answers with the trace of a run, one object a line, each with its
// trace_id.
func (s *server) traceRun(w http.ResponseWriter, r *http.Request) error {
	d, err := runs.find(s, r, 0, nothing)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/x-ndjson")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	s.hurry(w)
	for {
		after := 0
		for _, e := range d.Entries {
			line := map[string]any{}
			if err := json.Unmarshal(e.Body, &line); err != nil {
				return fmt.Errorf("read entry %d of %s: %w", e.Seq, e.Job, err)
			}
			line["trace_id"], line["seq"], line["at"], line["kind"] = e.Job, e.Seq, e.At, e.Kind
			text, err := json.Marshal(line)
			if err != nil {
				return err
			}
			if _, err := w.Write(append(text, '\n')); err != nil {
				return nil //nolint:nilerr // a client that has gone needs no answer
			}
			after = e.Seq
		}
		if !d.More {
			return nil
		}
		if d, err = s.askJob(r.Context(), r, messages.GetJob{Job: d.ID, After: after}); err != nil {
			s.o.Log.Warn("cut trace", "run", r.PathValue("id"), "err", err)
			return nil
		}
	}
}

// A reversal puts the files back as they were before a run.
type reversal struct {
	Force bool `json:"force"`
}

func undoRun(b reversal, run string) (messages.Message, error) {
	return messages.UndoRun{Job: messages.JobID(run), Force: b.Force}, nil
}

// An opinion is a person's word on what a run asks for.
type opinion struct {
	Allow *bool `json:"allow"`
}

func answerApproval(b opinion, id string) (messages.Message, error) {
	if b.Allow == nil {
		return nil, messages.Invalid("allow", "it is missing").Try("say true or false")
	}
	return messages.AnswerApproval{ID: id, Allow: *b.Allow}, nil
}
