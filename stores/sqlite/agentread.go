package sqlite

import (
	"context"
	"database/sql"
	"slices"

	"kurogo/messages"
)

// Agent returns an agent with its result, if it has ended. Errors: not_found.
func (s *Store) Agent(ctx context.Context, id messages.AgentID) (d messages.AgentDetail, err error) {
	err = s.view(ctx, func(c querier) error {
		return each(ctx, c, `SELECT `+agentColumns+agentTables+`WHERE a.id = ?`, []any{id}, func(r *sql.Rows) error {
			a, report, err := scanAgent(r.Scan)
			d.Agent = a
			if a.Outcome != "" {
				result := messages.Merge(a, report)
				d.Result = &result
			}
			return err
		})
	})
	if err == nil && d.ID == "" {
		err = noAgent(id)
	}
	if err == nil && d.Outcome != "" {
		err = s.scanOne(ctx, &d.Text, `SELECT result FROM tasks WHERE id = ?`, d.Task)
	}
	return d, err
}

// filters are the words by which agents are listed; each means some states.
var filters = map[string][]any{
	"":          {"queued", "running", "completed", "failed", "timed_out", "cancelled", "lost"},
	"all":       {"queued", "running", "completed", "failed", "timed_out", "cancelled", "lost"},
	"queued":    {"queued"},
	"running":   {"running"},
	"completed": {"completed"},
	"failed":    {"failed", "timed_out", "lost", "cancelled"},
}

// Agents returns agents in brief, in the order of asking for them, at most 1,000:
// the newest where there are more. Errors: invalid for an unknown status,
// not_found for an agent or a group that is named.
func (s *Store) Agents(ctx context.Context, q messages.ListAgents) (out messages.Agents, err error) {
	states, ok := filters[q.Status]
	if !ok {
		return out, messages.Invalid("status", "%q is no status", q.Status).Try("use queued, running, completed, failed or all")
	}
	if q.Group != "" {
		if _, err := s.Group(ctx, q.Group); err != nil {
			return out, err
		}
	}
	if len(q.Agents) > 0 {
		return s.named(ctx, q, states)
	}
	where := `WHERE a.status IN(` + marks(len(states)) + `)`
	args := states
	if q.Group != "" {
		where += ` AND a.group_id = ?`
		args = append(slices.Clip(args), q.Group)
	}
	if err := s.scanOne(ctx, &out.Total, `SELECT count(*) FROM agents a `+where, args...); err != nil {
		return out, err
	}
	out.Agents, err = s.sketches(ctx, where+` ORDER BY a.num DESC LIMIT ?`, append(slices.Clip(args), min(most(q.Limit, 100), 1000))...)
	slices.Reverse(out.Agents)
	return out, err
}

// named reads the agents that are asked for, in that order.
func (s *Store) named(ctx context.Context, q messages.ListAgents, states []any) (out messages.Agents, err error) {
	args := make([]any, len(q.Agents))
	for i, id := range q.Agents {
		args[i] = id
	}
	found, err := s.sketches(ctx, `WHERE a.id IN(`+marks(len(args))+`)`, args...)
	if err != nil {
		return out, err
	}
	out.Agents = []messages.Agent{}
	for _, id := range q.Agents {
		i := slices.IndexFunc(found, func(a messages.Agent) bool { return a.ID == id })
		if i < 0 {
			return out, noAgent(id)
		}
		a := found[i]
		state := a.Status
		if a.Outcome != "" {
			state = a.Outcome
		}
		if slices.Contains(states, any(string(state))) && (q.Group == "" || a.Group == q.Group) {
			out.Agents = append(out.Agents, a)
		}
	}
	out.Total = len(out.Agents)
	return out, nil
}

func (s *Store) sketches(ctx context.Context, where string, args ...any) (out []messages.Agent, err error) {
	out = []messages.Agent{}
	err = s.view(ctx, func(c querier) error {
		return each(ctx, c, `SELECT `+agentColumns+agentTables+where, args, func(r *sql.Rows) error {
			a, _, err := scanAgent(r.Scan)
			out = append(out, sketch(a))
			return err
		})
	})
	return out, err
}

// Waiting returns the agents of a group that have not ended and wait for no
// earlier stage, in the order of asking for them.
func (s *Store) Waiting(ctx context.Context, group messages.GroupID) ([]messages.Agent, error) {
	return s.sketches(ctx, `WHERE a.group_id = ? AND a.status IN('queued','running') AND d.held = 0 ORDER BY a.num`, group)
}

// BusyGroups names the groups that have agents which have not ended.
func (s *Store) BusyGroups(ctx context.Context) (out []messages.GroupID, err error) {
	err = s.view(ctx, func(c querier) error {
		return each(ctx, c, `SELECT DISTINCT group_id FROM agents WHERE status IN('queued','running') ORDER BY group_id`, nil, func(r *sql.Rows) error {
			var id messages.GroupID
			err := r.Scan(&id)
			out = append(out, id)
			return err
		})
	})
	return out, err
}

// Group returns a group with the count of its agents. Errors: not_found.
func (s *Store) Group(ctx context.Context, id messages.GroupID) (messages.Group, error) {
	list, err := s.groups(ctx, `WHERE g.id = ?`, id)
	if err == nil && len(list) == 0 {
		err = noGroup(id)
	}
	if err != nil {
		return messages.Group{}, err
	}
	return list[0], nil
}

// Groups returns groups, the newest first, at most 500.
func (s *Store) Groups(ctx context.Context, q messages.ListGroups) (messages.Groups, error) {
	list, err := s.groups(ctx, `WHERE (?1 OR g.status = 'active') AND g.kind = '' ORDER BY g.num DESC LIMIT ?2`, q.Deleted, min(most(q.Limit, 50), 500))
	return messages.Groups{Groups: list}, err
}

func (s *Store) groups(ctx context.Context, where string, args ...any) (out []messages.Group, err error) {
	out = []messages.Group{}
	at := map[messages.GroupID]int{}
	err = s.view(ctx, func(c querier) error {
		err := each(ctx, c, `SELECT `+groupColumns+` FROM groups g `+where, args, func(r *sql.Rows) error {
			g, err := scanGroup(r.Scan)
			at[g.ID] = len(out)
			out = append(out, g)
			return err
		})
		if err != nil || len(out) == 0 {
			return err
		}
		ids := make([]any, len(out))
		for i, g := range out {
			ids[i] = g.ID
		}
		return each(ctx, c, `SELECT group_id, `+shown+` AS state, count(*) FROM agents WHERE group_id IN(`+marks(len(ids))+`) GROUP BY group_id, state`, ids, func(r *sql.Rows) error {
			var id messages.GroupID
			var status messages.AgentStatus
			var n int
			err := r.Scan(&id, &status, &n)
			g := &out[at[id]]
			if g.Agents == nil {
				g.Agents = map[messages.AgentStatus]int{}
			}
			g.Agents[status] = n
			return err
		})
	})
	return out, err
}

// shown is an agent's status as everybody sees it.
const shown = `CASE WHEN report <> '' AND status NOT IN('queued','running') THEN 'result_reported' ELSE status END`

// marks is a list of n parameters.
func marks(n int) string {
	b := make([]byte, 0, 2*n)
	for range n {
		b = append(b, '?', ',')
	}
	return string(b[:max(0, len(b)-1)])
}
