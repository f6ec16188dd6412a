package sqlite

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"kurogo/messages"
)

// orderAgents writes each agent as what it is: a task with its request, the
// inbox of one message, and the agent's own row.
func (s *step) orderAgents(c messages.OrderAgents) (out messages.Outcome, err error) {
	request, err := digest(c)
	if err != nil {
		return out, err
	}
	if out.Agents, err = s.ordered(c, request); err != nil || out.Agents != nil {
		return out, err
	}
	if err := s.active(c.Group); err != nil {
		return out, err
	}
	if err := s.roomFor(c.Stages); err != nil {
		return out, err
	}
	r, err := s.w.result(`INSERT INTO orders(group_id, created_by, idem_key, request, stages) VALUES(?,?,?,?,?)`,
		c.Group, c.By, null(c.Key), request, len(c.Stages))
	if err != nil {
		return out, err
	}
	order, err := r.LastInsertId()
	if err != nil {
		return out, err
	}
	for stage, drafts := range c.Stages {
		for _, d := range drafts {
			a, err := s.draft(c, order, stage, d)
			if err != nil {
				return out, err
			}
			out.Agents = append(out.Agents, a)
		}
	}
	s.wake(c.Group.Address())
	return out, nil
}

// digest names what an order asks for, so that its key cannot mean two things.
func digest(c messages.OrderAgents) (string, error) {
	b, err := json.Marshal(struct {
		Group  messages.GroupID
		Stages [][]messages.Draft
	}{c.Group, c.Stages})
	if err != nil {
		return "", fmt.Errorf("encode order: %w", err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16]), nil
}

// ordered finds what the same order brought about before; nil if it is new.
func (s *step) ordered(c messages.OrderAgents, request string) ([]messages.Agent, error) {
	if c.Key == "" {
		return nil, nil
	}
	var order int64
	var before string
	ok, err := s.one(`SELECT num, request FROM orders WHERE created_by = ? AND idem_key = ?`, []any{c.By, c.Key}, &order, &before)
	if err != nil || !ok {
		return nil, err
	}
	agents, err := s.agents(`WHERE a.order_num = ? ORDER BY a.num`, order)
	if err == nil && before != request {
		err = otherwise(string(agents[0].ID) + " and others")
	}
	return agents, err
}

// roomFor refuses more agents than limits.queued_agents.
func (s *step) roomFor(stages [][]messages.Draft) error {
	asked, open := 0, 0
	for _, drafts := range stages {
		asked += len(drafts)
	}
	if _, err := s.one(`SELECT count(*) FROM agents WHERE status IN('queued','running')`, nil, &open); err != nil {
		return err
	}
	if open+asked > s.limits.QueuedAgents {
		e := messages.Errorf(messages.CodeBusy, "%d agents have not ended, and %d more are over the limit queued_agents = %d", open, asked, s.limits.QueuedAgents).
			Try("wait for some with wait_agent, or raise limits.queued_agents")
		e.RetryAfter = inboxRetry
		return e
	}
	return nil
}

func (s *step) draft(c messages.OrderAgents, order int64, stage int, d messages.Draft) (a messages.Agent, err error) {
	now := ms(c.Now)
	m := messages.CCMessage{ID: messages.MessageID(s.newID()), From: messages.User, Type: messages.TaskRequest, Content: d.Prompt}
	t := task{requester: messages.User, request: m.ID}
	id, err := s.handle(d.Role, c.Now, func(id string) (bool, error) {
		m.To = messages.AgentID(id).Address()
		var taken int
		ok, err := s.one(`SELECT 1 FROM agents WHERE id = ?`, []any{id}, &taken)
		return !ok, err
	})
	if err != nil {
		return a, err
	}
	t.owner = m.To
	task, err := s.newTask(t, now)
	if err != nil {
		return a, err
	}
	m.Metadata.TaskID = task
	terms, err := encodeTerms(d.Terms)
	if err != nil {
		return a, err
	}
	if err := s.exec(`INSERT INTO agents(id, group_id, order_num, stage, task_id, role, driver, model, dir, isolation, timeout, rehearsal, terms, status, created_by, queued_at) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,'queued',?,?)`,
		id, c.Group, order, stage, task, d.Role, d.Driver, d.Model, d.Dir, d.Isolation, d.Timeout.Milliseconds(), d.Rehearsal, terms, c.By, now); err != nil {
		return a, err
	}
	if err := s.exec(`INSERT INTO personas(name, reports_to, gather) VALUES(?, 'user', 'all')`, m.To); err != nil {
		return a, err
	}
	if err := s.post(letter{CCMessage: m, kind: request, bound: string(task), root: string(task), held: stage > 0}, now); err != nil {
		return a, err
	}
	a, err = s.agent(messages.AgentID(id))
	if err != nil {
		return a, err
	}
	if err := s.told(task, now); err != nil {
		return a, err
	}
	return a, s.emit(now, messages.AgentCreated, id, task, task, sketch(a))
}

// encodeTerms writes nothing down where nothing is demanded.
func encodeTerms(t messages.Terms) (string, error) {
	b, err := json.Marshal(t)
	if err != nil {
		return "", fmt.Errorf("encode terms: %w", err)
	}
	if string(b) == "{}" {
		return "", nil
	}
	return string(b), nil
}
