package tools

import (
	"context"

	"kurogo/messages"
)

// Bounds of what a client may say.
const (
	idChars    = 200
	keyChars   = 200
	pathChars  = 4096
	shortChars = 2000
)

var (
	groupID  = text(idChars, "the groupId that create_group gave")
	agentID  = text(idChars, "the agentId that run_agent gave")
	onceOnly = text(keyChars, "any text of your own: calling twice with the same key is calling once, and has the same answer")

	groupFaults = faults{
		messages.CodeNotFound: {"groupId", "make a group with create_group, and use the groupId that it gives"},
		messages.CodeConflict: {"groupId", "make a new group with create_group"},
		messages.CodeDenied:   {"groupId", "use your own group: get_agent_status names it"},
	}
	keyFaults = faults{messages.CodeConflict: {"idempotency_key", "use a new idempotency_key"}}
)

func (c *Catalogue) groups() []entry {
	return []entry{
		define(plan{
			name: "create_group", title: "Create a group of agents",
			about: "Opens a group, in which agents that belong together run. Use it once before the first run_agent of a piece of work. " +
				"Returns groupId; the group stays until you close it, also across restarts. " +
				"Next: list_roles to see who can work, then run_agent or run_agents; delete_group when you have read the results.",
			input: object(
				must("description", text(shortChars, "what the group is for, in a few words")),
				may("idempotency_key", onceOnly),
			),
			answer: answer(
				must("groupId", said("the group's id: keep it")),
				must("description", said("as given")),
				must("createdAt", moment("when it was made")),
				must("status", oneOf("active until it is deleted", messages.GroupActive, messages.GroupDeleted)),
			),
			faults: keyFaults,
		}, c.createGroup),
		define(plan{
			name: "delete_group", title: "Close a group",
			about: "Closes a group once all its agents have ended and you have read their results. Agents that are queued or running are named in the refusal: " +
				"wait for them with wait_agent or end them with cancel_agent, then call again. What happened in the group stays in the history. Returns deleted and groupId.",
			hints: ends,
			input: object(must("groupId", groupID)),
			answer: answer(
				must("deleted", yes("true")),
				must("groupId", said("the group")),
			),
			faults: groupFaults.also(faults{
				messages.CodeConflict: {"groupId", "wait for its agents with wait_agent, or end them with cancel_agent"},
			}),
		}, c.deleteGroup),
	}
}

type createGroup struct {
	Description string `json:"description"`
	Key         string `json:"idempotency_key"`
}

func (c *Catalogue) createGroup(ctx context.Context, u use, a createGroup) (any, error) {
	g, err := ask[messages.Group](ctx, c.port, messages.CreateGroup{Description: a.Description, Key: a.Key, By: u.who})
	return headOf(g), err
}

type oneGroup struct {
	Group messages.GroupID `json:"groupId"`
}

func (c *Catalogue) deleteGroup(ctx context.Context, u use, a oneGroup) (any, error) {
	g, err := ask[messages.Group](ctx, c.port, messages.DeleteGroup{Group: a.Group, By: u.who})
	return struct {
		Deleted bool             `json:"deleted"`
		Group   messages.GroupID `json:"groupId"`
	}{g.Status == messages.GroupDeleted, a.Group}, err
}
