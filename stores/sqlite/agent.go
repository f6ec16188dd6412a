package sqlite

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"kurogo/messages"
)

const agentColumns = `a.id, a.group_id, a.role, a.driver, a.model, a.status, a.report, a.task_id, a.stage, a.dir, a.timeout, a.isolation, a.rehearsal,
	a.created_by, a.queued_at, a.started_at, a.ended_at, a.run, m.content, d.state, d.held, d.parked, d.next_at, a.terms`

const agentTables = ` FROM agents a JOIN tasks t ON t.id = a.task_id JOIN messages m ON m.id = t.request_id JOIN deliveries d ON d.seq = m.seq `

// scanAgent reads an agent and its report, nil if it has made none.
func scanAgent(scan func(...any) error) (a messages.Agent, report *messages.Report, err error) {
	var said, run, state, parked, terms string
	var timeout, queued, started, ended, next int64
	var held bool
	if err := scan(&a.ID, &a.Group, &a.Role, &a.Driver, &a.Model, &a.Status, &said, &a.Task, &a.Stage, &a.Dir, &timeout, &a.Isolation, &a.Rehearsal,
		&a.CreatedBy, &queued, &started, &ended, &run, &a.Prompt, &state, &held, &parked, &next, &terms); err != nil {
		return a, nil, err
	}
	a.Timeout = time.Duration(timeout) * time.Millisecond
	a.QueuedAt, a.StartedAt, a.EndedAt = fromMS(queued), fromMS(started), fromMS(ended)
	if err := json.Unmarshal([]byte(run), &a.Run); err != nil {
		return a, nil, fmt.Errorf("read run of %s: %w", a.ID, err)
	}
	if terms != "" {
		if err := json.Unmarshal([]byte(terms), &a.Terms); err != nil {
			return a, nil, fmt.Errorf("read terms of %s: %w", a.ID, err)
		}
	}
	if said != "" {
		report = new(messages.Report)
		if err := json.Unmarshal([]byte(said), report); err != nil {
			return a, nil, fmt.Errorf("read report of %s: %w", a.ID, err)
		}
	}
	if a.Status.Final() {
		a.Outcome = a.Status
		if report != nil {
			a.Status = messages.AgentReported
		}
	}
	if a.Status == messages.AgentQueued {
		a.Waiting = waiting(state, held, messages.Parking(parked), next)
	}
	return a, report, nil
}

// waiting says why a queued agent does not run yet.
func waiting(state string, held bool, why messages.Parking, next int64) string {
	switch {
	case held:
		return "for the stage before"
	case state == "parked" && why == messages.ParkedRate:
		return "for its model's rate limit, until " + fromMS(next).Format("15:04:05Z")
	case state == "parked":
		return "for money: see kurogo approvals"
	}
	return "for a slot"
}

func (s *step) agents(where string, args ...any) (out []messages.Agent, err error) {
	err = s.each(`SELECT `+agentColumns+agentTables+where, args, func(r *sql.Rows) error {
		a, _, err := scanAgent(r.Scan)
		out = append(out, a)
		return err
	})
	return out, err
}

func (s *step) agent(id messages.AgentID) (messages.Agent, error) {
	list, err := s.agents(`WHERE a.id = ?`, id)
	if err == nil && len(list) == 0 {
		err = noAgent(id)
	}
	if err != nil {
		return messages.Agent{}, err
	}
	return list[0], nil
}

func noAgent(id messages.AgentID) error {
	e := messages.Errorf(messages.CodeNotFound, "there is no agent %q", id).Try("see list_agents, or kurogo ps")
	e.Field = "agentId"
	return e
}

// sketch cuts what an agent is one of many needs: together they must fit into
// one answer, or an event.
func sketch(a messages.Agent) messages.Agent {
	a.Prompt, a.Run.Last, a.Run.Error = messages.Cut(a.Prompt, taskPreview), messages.Cut(a.Run.Last, taskPreview), messages.Cut(a.Run.Error, taskPreview)
	a.Run.Recent, a.Run.Argv, a.Run.Diff, a.Terms = nil, nil, "", messages.Terms{}
	return a
}
