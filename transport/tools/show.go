package tools

import (
	"time"

	"kurogo/messages"
)

// Show is a word of the house as clients see it: with the names of the contract,
// times in ISO 8601, and no list that is null. A word that has no other face is
// shown as it is.
func (c *Catalogue) Show(m messages.Message) any {
	switch m := m.(type) {
	case messages.Group:
		return showGroup(m)
	case messages.Groups:
		return struct {
			Groups []groupView `json:"groups"`
		}{each(m.Groups, showGroup)}
	case messages.Agent:
		return showAgent(m, c.o.Now())
	case messages.Agents:
		return c.showAgents(m)
	case messages.AgentDetail:
		return showDetail(m, c.o.Now())
	case messages.Roles:
		return rolesView{each(m.Roles, showRole)}
	case messages.Task:
		return showTask(m)
	case messages.TaskTree:
		return showTree(m)
	case messages.Tasks:
		return struct {
			Tasks []taskView `json:"tasks"`
		}{each(m.Tasks, showTask)}
	case messages.Conversation:
		m.Messages = each(m.Messages, same)
		return m
	case messages.CommunicationLog:
		m.Rows = each(m.Rows, same)
		return m
	case messages.Crew:
		m.Members = each(m.Members, same)
		return m
	case messages.Approvals:
		m.Approvals = each(m.Approvals, same)
		return m
	case messages.Cost:
		m.Rows = each(m.Rows, same)
		return m
	}
	return m
}

// each is never nil.
func each[A, B any](in []A, show func(A) B) []B {
	out := make([]B, len(in))
	for i, a := range in {
		out[i] = show(a)
	}
	return out
}

func same[A any](a A) A { return a }

const iso = "2006-01-02T15:04:05.000Z"

// stamp is a time in ISO 8601 with milliseconds; null if it has not come yet.
// It is no type that writes its own JSON: that would be read again each time.
func stamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := t.UTC().Format(iso)
	return &s
}

// word is null when it is empty.
func word[S ~string](w S) *string {
	if w == "" {
		return nil
	}
	s := string(w)
	return &s
}

// A groupView is a group with how many of its agents are in which state.
type groupView struct {
	groupHead
	CreatedBy messages.Address             `json:"createdBy"`
	DeletedAt *string                      `json:"deletedAt"`
	Agents    map[messages.AgentStatus]int `json:"agents"`
}

type groupHead struct {
	ID          messages.GroupID     `json:"groupId"`
	Description string               `json:"description"`
	CreatedAt   *string              `json:"createdAt"`
	Status      messages.GroupStatus `json:"status"`
}

func headOf(g messages.Group) groupHead {
	return groupHead{g.ID, g.Description, stamp(g.CreatedAt), g.Status}
}

func showGroup(g messages.Group) groupView {
	out := groupView{headOf(g), g.CreatedBy, stamp(g.DeletedAt), g.Agents}
	if out.Agents == nil {
		out.Agents = map[messages.AgentStatus]int{}
	}
	return out
}

type roleView struct {
	ID        string       `json:"id"`
	Name      string       `json:"name"`
	Driver    string       `json:"driver"`
	Model     string       `json:"model"`
	Available bool         `json:"available"`
	Health    healthView   `json:"healthCheck"`
	Validity  validityView `json:"modelValidation"`
}

type healthView struct {
	Status       messages.HealthStatus `json:"status"`
	Reason       *string               `json:"reason"`
	ResponseTime int64                 `json:"responseTime_ms"`
	CheckedAt    *string               `json:"checkedAt"`
}

type validityView struct {
	Status          messages.ModelStatus `json:"status"`
	Message         *string              `json:"message"`
	CheckedAt       *string              `json:"checkedAt"`
	AvailableModels []string             `json:"availableModels"`
}

type rolesView struct {
	Roles []roleView `json:"roles"`
}

func showRole(r messages.RoleState) roleView {
	return roleView{
		r.ID, r.Name, r.Driver, r.Model, r.Available,
		healthView{r.Health.Status, word(r.Health.Reason), r.Health.ResponseTime, stamp(r.Health.CheckedAt)},
		validityView{r.Validity.Status, word(r.Validity.Message), stamp(r.Validity.CheckedAt), each(r.Validity.AvailableModels, same)},
	}
}
