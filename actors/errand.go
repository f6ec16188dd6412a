package actors

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"kurogo/messages"
)

// An Errand is the one way in which a job has an agent do something: it is ordered
// under a key, so that whoever leads the job after a fall finds the same agent, and
// what it has already said is not paid for twice.
type Errand struct {
	Company
	Ledger Ledger
	Job    messages.Job
}

// Draft is what an agent of the job is to do, unless more is said.
func (e Errand) Draft(role messages.Role, prompt, dir string, timeout time.Duration, terms messages.Terms) messages.Draft {
	return messages.Draft{
		Role: role.ID, Driver: role.Driver, Model: role.Model, Prompt: prompt, Dir: dir, Timeout: timeout,
		Isolation: messages.IsolationNone, Rehearsal: e.Rehearsed(role.Driver), Terms: terms,
	}
}

// Send orders the agent that the key names, or finds it.
func (e Errand) Send(key string, d messages.Draft) (messages.Agent, error) {
	out, err := e.Journal.Commit(context.Background(), messages.OrderAgents{
		Group: e.Job.Group(), Stages: [][]messages.Draft{{d}}, By: e.Job.Address(), Key: string(e.Job.ID) + " " + key, Now: e.Clock.Now(),
	})
	if err != nil {
		return messages.Agent{}, fmt.Errorf("order agent: %w", err)
	}
	e.Keys.share(e.Job.Address(), out.Agents[0].ID.Address())
	return out.Agents[0], nil
}

// Done reads what came of an agent; ok is false while it works.
func (e Errand) Done(id messages.AgentID) (d messages.AgentDetail, ok bool) {
	d, err := e.Archive.Agent(context.Background(), id)
	if err != nil {
		panic(fmt.Errorf("read agent %s: %w", id, err))
	}
	return d, d.Outcome != ""
}

// Stands reads the job without its entries; on is false when somebody has ended it,
// and whoever leads it is to leave.
func (e Errand) Stands() (d messages.JobDetail, on bool) {
	d, err := e.Ledger.Job(context.Background(), messages.GetJob{Job: e.Job.ID, Limit: 1})
	if err != nil {
		panic(fmt.Errorf("read job %s: %w", e.Job.ID, err))
	}
	if d.Status != messages.JobRunning {
		e.Keys.forget(e.Job.Address())
		return d, false
	}
	return d, true
}

// Keep writes what has become true of the job. It panics when the journal does
// not take it: whoever leads the job next finds out what is there.
func (e Errand) Keep(states []string, entries ...messages.JobEntry) {
	if _, err := e.Journal.Commit(context.Background(), messages.KeepJob{Job: e.Job.ID, States: states, Entries: entries, Now: e.Clock.Now()}); err != nil {
		panic(fmt.Errorf("write job %s: %w", e.Job.ID, err))
	}
}

// Close ends the job.
func (e Errand) Close(c messages.CloseJob) {
	c.Job, c.Now = e.Job.ID, e.Clock.Now()
	if _, err := e.Journal.Commit(context.Background(), c); err != nil {
		panic(fmt.Errorf("end job %s: %w", e.Job.ID, err))
	}
	e.Keys.forget(e.Job.Address())
}

// Entry makes an entry of one of our own types, which all can be encoded.
func Entry(kind string, body any) messages.JobEntry {
	return messages.JobEntry{Kind: kind, Body: Encode(body)}
}

// Encode is the JSON of one of our own types, which all have one.
func Encode(body any) json.RawMessage {
	b, err := json.Marshal(body)
	if err != nil {
		panic(fmt.Errorf("encode %T: %w", body, err))
	}
	return b
}

// Recall reads a job with all its entries.
func Recall(ledger Ledger, id messages.JobID) (d messages.JobDetail, err error) {
	q := messages.GetJob{Job: id}
	for more := true; more; {
		page, err := ledger.Job(context.Background(), q)
		if err != nil {
			return d, fmt.Errorf("read job %s: %w", id, err)
		}
		page.Entries = slices.Concat(d.Entries, page.Entries)
		d, more = page, page.More
		if n := len(d.Entries); n > 0 {
			q.After = d.Entries[n-1].Seq
		}
	}
	return d, nil
}
