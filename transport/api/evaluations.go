package api

import (
	"encoding/json"
	"fmt"
	"net/http"

	"kurogo/messages"
)

// orderEvaluation begins an evaluation, and answers before it is over. The body is
// that of evaluate_document or, with "improve": true, of improve_document.
func (s *server) orderEvaluation(w http.ResponseWriter, r *http.Request) error {
	if err := queryOf(r).fault(); err != nil {
		return err
	}
	body, err := bodyOf(r)
	if err != nil {
		return err
	}
	improve := false
	if fields, ok := object(body); ok {
		if raw, said := fields["improve"]; said {
			if err := json.Unmarshal(raw, &improve); err != nil || string(raw) == "null" {
				return messages.Invalid("improve", "it is neither true nor false").Try("use true or false, or leave it out")
			}
			delete(fields, "improve")
		}
		if body, err = json.Marshal(fields); err != nil {
			return err
		}
	}
	job, err := s.tools.OrderEvaluation(r.Context(), s.o.Caller(r), improve, body)
	if err != nil {
		return err
	}
	return s.ordered(w, job, evaluations.path)
}

// An evaluationView is an evaluation with all that has become true of it. Versions
// are without their documents: they are long, and in the entries of the job.
type evaluationView struct {
	messages.Job
	Rounds   []messages.EvaluationRound   `json:"rounds"`
	Versions []messages.EvaluationVersion `json:"versions"`
	Tries    []messages.EvaluationTry     `json:"tries"`
}

func (s *server) getEvaluation(w http.ResponseWriter, r *http.Request) error {
	d, err := evaluations.find(s, r, 0, nothing)
	q := messages.GetJob{Job: d.ID}
	out := evaluationView{Job: d.Job, Rounds: []messages.EvaluationRound{}, Versions: []messages.EvaluationVersion{}, Tries: []messages.EvaluationTry{}}
	for err == nil {
		for _, e := range d.Entries {
			if err := out.add(e); err != nil {
				return fmt.Errorf("read entry %d of %s: %w", e.Seq, e.Job, err)
			}
			q.After = e.Seq
		}
		if !d.More {
			return s.answer(w, out)
		}
		d, err = s.askJob(r.Context(), r, q)
	}
	return err
}

func (v *evaluationView) add(e messages.JobEntry) (err error) {
	switch e.Kind {
	case messages.EntryRound:
		var round messages.EvaluationRound
		err = json.Unmarshal(e.Body, &round)
		v.Rounds = append(v.Rounds, round)
	case messages.EntryVersion:
		var version messages.EvaluationVersion
		err = json.Unmarshal(e.Body, &version)
		version.Document = ""
		v.Versions = append(v.Versions, version)
	case messages.EntryTry:
		var try messages.EvaluationTry
		err = json.Unmarshal(e.Body, &try)
		v.Tries = append(v.Tries, try)
	}
	return err
}
