package live

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"kurogo/messages"
)

// A snapshot is everything that there is, as one frame. What happened up to seq is
// in it; something later may be, too, and is told again: every event says how a
// thing stands, so hearing it twice changes nothing.
type snapshot struct {
	frame []byte
	seq   int64
	at    time.Time
}

// fresh is how long a snapshot serves others, too: when everybody falls behind at
// once, the house is read once.
const fresh = time.Second

// The most of each kind that a snapshot holds: the newest, and agents that have
// not ended before those that have.
const (
	someGroups = 500
	someAgents = 1000
	someTasks  = 500
)

// scene is the data of a snapshot: the same words as in the events.
type scene struct {
	Groups    []messages.Group     `json:"groups"`
	Agents    []messages.Agent     `json:"agents"`
	Roles     []messages.RoleState `json:"roles"`
	Crew      []messages.Member    `json:"crew"`
	Tasks     []messages.Task      `json:"tasks"`
	Approvals []messages.Approval  `json:"approvals"`
	Status    messages.Status      `json:"status"`
}

// snapshot takes one, or gives a fresh one that the ring still reaches: whoever has
// fallen behind the ring has heard nothing that is not in it.
func (s *Server) snapshot(ctx context.Context, h *hub) (snapshot, error) {
	select {
	case s.taking <- struct{}{}:
		defer func() { <-s.taking }()
	case <-ctx.Done():
		return snapshot{}, context.Cause(ctx)
	}
	if t := s.taken; t.frame != nil && time.Since(t.at) < fresh && h.reaches(t.seq) {
		return t, nil
	}
	t := snapshot{at: time.Now()}
	data, err := s.look(ctx)
	if err != nil {
		return t, fmt.Errorf("take snapshot: %w", err)
	}
	t.seq = data.Status.LastEvent
	t.frame, err = json.Marshal(struct {
		Type  string `json:"type"`
		Seq   int64  `json:"seq"`
		Epoch string `json:"epoch"`
		Data  scene  `json:"data"`
	}{"snapshot", t.seq, data.Status.Store, data})
	if err != nil {
		return t, fmt.Errorf("encode snapshot: %w", err)
	}
	s.taken = t
	return t, nil
}

// look reads the house. The status is first, because its last event is the cursor.
func (s *Server) look(ctx context.Context) (v scene, err error) {
	if v.Status, err = ask[messages.Status](ctx, s.port, messages.GetStatus{}); err != nil {
		return v, err
	}
	groups, err := ask[messages.Groups](ctx, s.port, messages.ListGroups{Limit: someGroups})
	if err != nil {
		return v, err
	}
	if v.Agents, err = s.agents(ctx); err != nil {
		return v, err
	}
	roles, err := ask[messages.Roles](ctx, s.port, messages.ListRoles{Prompts: true})
	if err != nil {
		return v, err
	}
	crew, err := ask[messages.Crew](ctx, s.port, messages.GetCrew{})
	if err != nil {
		return v, err
	}
	tasks, err := ask[messages.Tasks](ctx, s.port, messages.ListTasks{Of: messages.CrewTasks, Limit: someTasks})
	if err != nil {
		return v, err
	}
	approvals, err := ask[messages.Approvals](ctx, s.port, messages.ListApprovals{})
	if err != nil {
		return v, err
	}
	v.Groups, v.Roles, v.Crew = some(groups.Groups), some(roles.Roles), some(crew.Members)
	v.Tasks, v.Approvals = some(tasks.Tasks), some(approvals.Approvals)
	return v, nil
}

// agents lists the newest, and where there are more, those that have not ended
// before them.
func (s *Server) agents(ctx context.Context) ([]messages.Agent, error) {
	newest, err := ask[messages.Agents](ctx, s.port, messages.ListAgents{Status: "all", Limit: someAgents})
	if err != nil || newest.Total <= len(newest.Agents) {
		return some(newest.Agents), err
	}
	known := map[messages.AgentID]bool{}
	for _, a := range newest.Agents {
		known[a.ID] = true
	}
	var open []messages.Agent
	for _, status := range []string{"queued", "running"} {
		more, err := ask[messages.Agents](ctx, s.port, messages.ListAgents{Status: status, Limit: someAgents})
		if err != nil {
			return nil, err
		}
		for _, a := range more.Agents {
			if !known[a.ID] { // it may have begun to run meanwhile
				known[a.ID] = true
				open = append(open, a)
			}
		}
	}
	slices.SortStableFunc(open, func(a, b messages.Agent) int {
		return cmp.Or(a.QueuedAt.Compare(b.QueuedAt), cmp.Compare(a.ID, b.ID))
	})
	return append(open, newest.Agents...), nil
}

// some is a list that is never null.
func some[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
