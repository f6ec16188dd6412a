package sqlite

import (
	"database/sql"
	"slices"

	"kurogo/messages"
)

// begins marks an agent as running from now on, and its time-out as its task's
// deadline: the timekeeper ends it whether or not its owner lives.
func (s *step) begins(work *messages.Work, now int64) error {
	id, ok := work.Task.Owner.Agent()
	if !ok {
		return nil
	}
	if err := s.exec(`UPDATE agents SET status = 'running', started_at = ? WHERE id = ?`, now, id); err != nil {
		return err
	}
	var err error
	if work.Agent, err = s.agent(id); err != nil {
		return err
	}
	if limit := work.Agent.Timeout.Milliseconds(); limit > 0 {
		if err := s.exec(`UPDATE tasks SET deadline_at = ? WHERE id = ?`, now+limit, work.Task.ID); err != nil {
			return err
		}
		s.dueAt(now + limit)
		work.Task.Deadline = fromMS(now + limit)
	}
	if work.Earlier, err = s.before(id); err != nil {
		return err
	}
	return s.emit(now, messages.AgentUpdated, string(id), work.Task.ID, work.Task.Root, sketch(work.Agent))
}

// before reads what came of the stage before an agent's own.
func (s *step) before(id messages.AgentID) (out []messages.AgentResult, err error) {
	err = s.each(`SELECT `+agentColumns+` FROM agents me JOIN agents a ON a.order_num = me.order_num AND a.stage = me.stage - 1
		JOIN tasks t ON t.id = a.task_id JOIN messages m ON m.id = t.request_id JOIN deliveries d ON d.seq = m.seq WHERE me.id = ? ORDER BY a.num`, []any{id}, func(r *sql.Rows) error {
		a, report, err := scanAgent(r.Scan)
		out = append(out, messages.Merge(a, report))
		return err
	})
	return out, err
}

// pauses puts an agent whose turn has to wait back among the queued ones.
func (s *step) pauses(owner messages.Address, task messages.TaskID, now int64) error {
	id, ok := owner.Agent()
	if !ok {
		return nil
	}
	if err := s.exec(`UPDATE tasks SET status = 'queued', deadline_at = 0 WHERE id = ?`, task); err != nil {
		return err
	}
	if err := s.exec(`UPDATE agents SET status = 'queued' WHERE id = ?`, id); err != nil {
		return err
	}
	a, err := s.agent(id)
	if err != nil {
		return err
	}
	return s.emit(now, messages.AgentUpdated, string(id), a.Task, a.Task, sketch(a))
}

// ends gives an agent the status that follows from how its task ended. Whoever
// holds its life ends it, and its stage may be over.
func (s *step) ends(t messages.Task, v verdict) error {
	id, ok := t.Owner.Agent()
	if !ok {
		return nil
	}
	status := v.agent()
	var order, stage int64
	if _, err := s.one(`UPDATE agents SET status = ?, ended_at = ? WHERE id = ? RETURNING order_num, stage`, []any{status, v.at, id}, &order, &stage); err != nil {
		return err
	}
	if err := s.exec(`DELETE FROM personas WHERE name = ?`, t.Owner); err != nil {
		return err
	}
	a, err := s.agent(id)
	if err != nil {
		return err
	}
	if v.status != messages.Completed && (a.Run.Error == "" || status != messages.AgentFailed) { // who fell by himself knows best
		a.Run.Error = v.text
		if v.status == messages.TimedOut {
			a.Run.Error = "it ran longer than its timeout of " + a.Timeout.String()
		}
		if err := s.keepRun(a.ID, a.Run); err != nil {
			return err
		}
	}
	if _, _, job := a.CreatedBy.Job(); job {
		s.wake(a.CreatedBy)
	}
	if i := (messages.Interrupt{To: t.Owner, Task: t.ID}); !slices.Contains(s.interrupts, i) {
		s.interrupts = append(s.interrupts, i)
	}
	if err := s.emit(v.at, messages.AgentEnded, string(id), t.ID, t.Root, sketch(a)); err != nil {
		return err
	}
	if a.Status == messages.AgentReported {
		if err := s.reported(a.ID, v.at); err != nil {
			return err
		}
	}
	return s.advance(order, stage, a.Group, v.at)
}

// agent is the status that a verdict gives an agent.
func (v verdict) agent() messages.AgentStatus {
	switch {
	case v.lost:
		return messages.AgentLost
	case v.status == messages.Completed:
		return messages.AgentCompleted
	case v.status == messages.TimedOut:
		return messages.AgentTimedOut
	case v.status == messages.Cancelled:
		return messages.AgentCancelled
	}
	return messages.AgentFailed
}

// advance releases the next stage when nobody of this one is left; one whose
// agents were all cancelled meanwhile is over at once.
func (s *step) advance(order, stage int64, group messages.GroupID, now int64) error {
	for ; ; stage++ {
		var left int
		if _, err := s.one(`SELECT count(*) FROM agents WHERE order_num = ? AND stage = ? AND status IN('queued','running')`, []any{order, stage}, &left); err != nil {
			return err
		}
		n, err := s.changed(`UPDATE orders SET stage = ?1 + 1 WHERE num = ?2 AND stage = ?1 AND stage + 1 < stages AND ?3 = 0`, stage, order, left)
		if err != nil || n == 0 {
			return err
		}
		next := messages.Stage{Group: group, Index: int(stage) + 1}
		agents, err := s.agents(`WHERE a.order_num = ? AND a.stage = ? ORDER BY a.num`, order, stage+1)
		if err != nil {
			return err
		}
		for _, a := range agents {
			next.Agents = append(next.Agents, a.ID)
			if err := s.exec(`UPDATE deliveries SET held = 0 WHERE task_id = ? AND state = 'pending'`, a.Task); err != nil {
				return err
			}
		}
		if err := s.emit(now, messages.StageAdvanced, string(group), "", "", next); err != nil {
			return err
		}
		for _, a := range agents { // what they wait for is another thing now
			if a.Status == messages.AgentQueued {
				a.Waiting = waiting("pending", false, "", 0)
			}
			if err := s.emit(now, messages.AgentUpdated, string(a.ID), a.Task, a.Task, sketch(a)); err != nil {
				return err
			}
		}
		s.wake(group.Address())
	}
}
