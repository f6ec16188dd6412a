package messages

import "time"

// A GroupID names a group: grp-{unix}-{4hex}. The journal mints it.
type GroupID string

// A GroupStatus is whether a group takes agents.
type GroupStatus string

// A group is active until it is deleted; then it stays in the history.
const (
	GroupActive  GroupStatus = "active"
	GroupDeleted GroupStatus = "deleted"
)

// A Group holds agents that belong together.
type Group struct {
	ID          GroupID             `json:"groupId"`
	Description string              `json:"description"`
	Status      GroupStatus         `json:"status"`
	CreatedBy   Address             `json:"createdBy"`
	CreatedAt   time.Time           `json:"createdAt"`
	DeletedAt   time.Time           `json:"deletedAt,omitzero"`
	Agents      map[AgentStatus]int `json:"agents,omitempty"` // how many are in which state
}

// CreateGroup opens a group. A second one with the same key has the first one's
// answer. Answer: Group. Refusals: invalid.
type CreateGroup struct {
	Description string `json:"description"`
	Key         string `json:"idempotency_key,omitempty"`
	By          Caller `json:"by"`
}

// DeleteGroup closes a group. Answer: Group. Refusals: not_found; conflict while
// agents of it are queued or running, with their ids.
type DeleteGroup struct {
	Group GroupID `json:"groupId"`
	By    Caller  `json:"by"`
}

// GetGroup asks for one group. Answer: Group. Refusals: not_found.
type GetGroup struct {
	Group GroupID `json:"groupId"`
}

// ListGroups asks for groups, the newest first. Limit 0 means 50, the most is
// 500. Answer: Groups.
type ListGroups struct {
	Deleted bool `json:"deleted,omitempty"` // the deleted ones too
	Limit   int  `json:"limit,omitempty"`
}

// Groups answers ListGroups.
type Groups struct {
	Groups []Group `json:"groups"`
}

func (Group) word()       {}
func (CreateGroup) word() {}
func (DeleteGroup) word() {}
func (GetGroup) word()    {}
func (ListGroups) word()  {}
func (Groups) word()      {}
