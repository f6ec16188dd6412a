package api

import (
	"context"
	"encoding/json"
	"math"
	"net/http"

	"kurogo/messages"
)

// A trade is one kind of job as its routes know it.
type trade struct {
	kind messages.JobKind
	noun string
	path string
}

var (
	evaluations = trade{messages.JobEvaluation, "evaluation", "/api/evaluations"}
	runs        = trade{messages.JobRun, "run", "/api/runs"}
)

func (t trade) list(_ *http.Request, q *query) messages.Message {
	return messages.ListJobs{
		Kind: t.kind, Status: messages.JobStatus(q.choice("status", "running", "completed", "failed", "cancelled")),
		Session: q.text("session"), Before: messages.JobID(q.text("before")), Limit: int(q.number("limit", 500)),
	}
}

// noEntries is behind the last entry of any job.
const noEntries = math.MaxInt32

func nothing(*query) {}

// find asks for a job by the path, with a page of its entries behind after.
func (t trade) find(s *server, r *http.Request, after int, params func(*query)) (messages.JobDetail, error) {
	d, err := s.job(r, func(q *query) messages.GetJob {
		params(q)
		return messages.GetJob{Job: messages.JobID(r.PathValue("id")), After: after}
	})
	if err == nil && d.Kind != t.kind {
		e := messages.Errorf(messages.CodeNotFound, "there is no %s %q", t.noun, d.ID).Try("GET " + t.path + " lists what there is")
		e.Field = "id"
		return d, e
	}
	return d, err
}

// cancel ends a job; one that has ended stays as it is.
func (t trade) cancel(s *server) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		reason := ""
		d, err := t.find(s, r, noEntries, func(q *query) { reason = q.text("reason") })
		if err != nil {
			return err
		}
		answer, err := s.port.Ask(r.Context(), messages.CancelJob{Job: d.ID, Reason: reason})
		if err != nil {
			return explain(err, r)
		}
		if job, ok := answer.(messages.Job); ok {
			job.Input, job.Output = nil, nil
			answer = job
		}
		return s.answer(w, answer)
	}
}

// An entriesView is a page of what has become true of a job.
type entriesView struct {
	Entries []messages.JobEntry `json:"entries"`
	More    bool                `json:"more"`
}

// entries answers with a page of a job's entries, whatever its kind: those behind
// after, as many as fit.
func (s *server) entries(w http.ResponseWriter, r *http.Request) error {
	d, err := s.job(r, func(q *query) messages.GetJob {
		return messages.GetJob{Job: messages.JobID(r.PathValue("id")), After: int(q.number("after", 1<<31)), Limit: int(q.number("limit", 1000))}
	})
	if err != nil {
		return err
	}
	return s.answer(w, entriesView{d.Entries, d.More})
}

// job asks for a job on behalf of the owner.
func (s *server) job(r *http.Request, of func(*query) messages.GetJob) (none messages.JobDetail, err error) {
	if err := s.owner(r); err != nil {
		return none, err
	}
	q := queryOf(r)
	m := of(q)
	if err := q.fault(); err != nil {
		return none, err
	}
	if err := noBody(r); err != nil {
		return none, err
	}
	return s.askJob(r.Context(), r, m)
}

func (s *server) askJob(ctx context.Context, r *http.Request, m messages.GetJob) (none messages.JobDetail, err error) {
	answer, err := s.port.Ask(ctx, m)
	if err != nil {
		return none, explain(err, r)
	}
	d, ok := answer.(messages.JobDetail)
	if !ok {
		return none, messages.Errorf(messages.CodeInternal, "get_job was answered with %T", answer)
	}
	return d, nil
}

// ordered answers that a job has begun, and where it will be found.
func (s *server) ordered(w http.ResponseWriter, job messages.Job, at string) error {
	job.Input, job.Output = nil, nil
	text, err := json.Marshal(envelope{OK: true, Data: job})
	if err != nil {
		return err
	}
	w.Header().Set("Location", at+"/"+string(job.ID))
	s.write(w, http.StatusAccepted, text)
	return nil
}
