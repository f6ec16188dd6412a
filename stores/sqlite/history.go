package sqlite

import (
	"context"
	"database/sql"
	"strings"

	"kurogo/messages"
)

// historySorts are what the history can be ordered by; the newest decide between
// equals.
var historySorts = map[string]string{
	"when": "a.num", "duration": "CASE WHEN a.started_at = 0 THEN 0 ELSE a.ended_at - a.started_at END", "tools": "ifnull(json_extract(a.run, '$.toolCallCount'), 0)",
	"role": "a.role", "status": "a.status", "group": "g.num",
}

const historyTables = agentTables + `LEFT JOIN groups g ON g.id = a.group_id `

// History returns a page of the agents that have ended. Those of a job are seen
// with the job. Errors: invalid.
func (s *Store) History(ctx context.Context, q messages.ListHistory) (out messages.History, err error) {
	where, args, err := pastOf(q)
	if err != nil {
		return out, err
	}
	sort, falling := strings.CutPrefix(q.Sort, "-")
	if q.Sort == "" {
		sort, falling = "when", true
	}
	order, ok := historySorts[sort]
	if !ok {
		return out, messages.Invalid("sort", "%q is no column", messages.Cut(q.Sort, 64)).Try("use when, duration, tools, role, status or group, with - for the other way round")
	}
	if falling {
		order += " DESC"
	}
	if q.Offset < 0 || q.Until < 0 {
		return out, messages.Invalid("offset", "there is nothing before the first").Try("begin with 0")
	}
	if out.Until = q.Until; out.Until == 0 {
		if err := s.scanOne(ctx, &out.Until, `SELECT ifnull(max(num), 0) FROM agents`); err != nil {
			return out, err
		}
	}
	where, args = where+` AND a.num <= ?`, append(args, out.Until)
	out.Agents, out.Groups, out.Roles = []messages.Agent{}, []messages.Group{}, []string{}
	err = s.view(ctx, func(c querier) error {
		if err := each(ctx, c, `SELECT count(*)`+historyTables+where, args, func(r *sql.Rows) error { return r.Scan(&out.Total) }); err != nil {
			return err
		}
		page := append(args, min(most(q.Limit, 100), 500), q.Offset) //nolint:gocritic // args is not used again
		if err := each(ctx, c, `SELECT `+agentColumns+historyTables+where+` ORDER BY `+order+`, a.num DESC LIMIT ? OFFSET ?`, page, func(r *sql.Rows) error {
			a, report, err := scanAgent(r.Scan)
			out.Agents = append(out.Agents, summed(a, report))
			return err
		}); err != nil {
			return err
		}
		return each(ctx, c, `SELECT DISTINCT role FROM agents ORDER BY role`, nil, func(r *sql.Rows) error {
			var role string
			err := r.Scan(&role)
			out.Roles = append(out.Roles, role)
			return err
		})
	})
	if err == nil && len(out.Agents) > 0 {
		out.Groups, err = s.groupsOf(ctx, out.Agents)
	}
	return out, err
}

// summed is an agent in brief with what it says of its work, if it said so.
func summed(a messages.Agent, report *messages.Report) messages.Agent {
	if report != nil {
		result := messages.Merge(a, report)
		a.Run.Last, a.Run.Edited, a.Run.Created = result.Summary, result.Edited, result.Created
	}
	return sketch(a)
}

// pastOf is the condition that a page of the history is read under.
func pastOf(q messages.ListHistory) (where string, args []any, err error) {
	where = `WHERE ifnull(g.kind, '') = '' AND a.status NOT IN('queued','running')`
	add := func(condition string, value any) { where, args = where+` AND `+condition, append(args, value) }
	if q.Group != "" {
		add(`a.group_id = ?`, q.Group)
	}
	if q.Role != "" {
		add(`a.role = ?`, q.Role)
	}
	switch q.Status {
	case "":
	case messages.AgentReported:
		where += ` AND a.report <> ''`
	case messages.AgentCompleted, messages.AgentFailed, messages.AgentTimedOut, messages.AgentCancelled, messages.AgentLost:
		add(`a.status = ?`, q.Status)
	case messages.AgentQueued, messages.AgentRunning:
		fallthrough
	default:
		return "", nil, messages.Invalid("status", "no agent ends as %q", messages.Cut(string(q.Status), 64)).
			Try("use completed, failed, timed_out, cancelled, lost or result_reported")
	}
	for word := range strings.FieldsSeq(q.Find) {
		add(`instr(lower(a.id || char(10) || a.group_id || char(10) || ifnull(g.description, '') || char(10) || a.role || char(10) || a.model || char(10) || a.run || char(10) || a.report || char(10) || m.content), lower(?)) > 0`, word)
	}
	return where, args, nil
}

// groupsOf reads the groups of these agents.
func (s *Store) groupsOf(ctx context.Context, agents []messages.Agent) ([]messages.Group, error) {
	known := map[messages.GroupID]bool{}
	var ids []any
	for _, a := range agents {
		if !known[a.Group] {
			known[a.Group] = true
			ids = append(ids, a.Group)
		}
	}
	return s.groups(ctx, `WHERE g.id IN(`+marks(len(ids))+`) ORDER BY g.num DESC`, ids...)
}
