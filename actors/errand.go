package actors

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"kurogo/messages"
)

// An Errand is the one way in which a job has an agent do something: it is ordered
// under a key, so that whoever leads the job after a fall finds the same agent, and
// what it has already said is not paid for twice.
type Errand struct {
	Company
	Job messages.Job
}

// Send orders the agent that the key names, or finds it.
func (e Errand) Send(key string, d messages.Draft) (messages.Agent, error) {
	out, err := e.Journal.Commit(context.Background(), messages.OrderAgents{
		Group: e.Job.Group(), Stages: [][]messages.Draft{{d}}, By: e.Job.Address(), Key: string(e.Job.ID) + " " + key, Now: e.Clock.Now(),
	})
	if err != nil {
		return messages.Agent{}, fmt.Errorf("order agent: %w", err)
	}
	e.Keys.share(e.Job.ID, out.Agents[0].ID)
	return out.Agents[0], nil
}

// Done reads what came of an agent; ok is false while it works.
func (e Errand) Done(id messages.AgentID) (d messages.AgentDetail, ok bool, err error) {
	d, err = e.Archive.Agent(context.Background(), id)
	if err != nil {
		return d, false, fmt.Errorf("read agent: %w", err)
	}
	return d, d.Outcome != "", nil
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
	e.Keys.forgetJob(e.Job.ID)
}

// lendJob keeps the keys of whoever ordered a job, for its agents.
func (k *Keys) lendJob(id messages.JobID, env map[string]string) { k.lend(messages.AgentID(id), env) }

func (k *Keys) forgetJob(id messages.JobID) { k.forget(messages.AgentID(id)) }

// share lends an agent what its job was lent.
func (k *Keys) share(from messages.JobID, to messages.AgentID) {
	k.mu.Lock()
	env := k.lent[messages.AgentID(from)]
	k.mu.Unlock()
	k.lend(to, env)
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

// decode reads what we have written ourselves.
func decode(body json.RawMessage, into any) error {
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("decode %T: %w", into, err)
	}
	return nil
}
