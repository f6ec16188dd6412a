package messages

import (
	"encoding/json"
	"slices"
	"time"
)

// An Event is one fact of the journal, written in the transaction that made it
// true. Seq grows without regard to what it is about: it is the cursor of every
// watcher, across restarts. Lazy events (what a turn thinks and says while it
// runs) are written too, but nobody waits for them.
type Event struct {
	Seq  int64           `json:"seq"`
	At   time.Time       `json:"at"`
	Kind EventKind       `json:"kind"`
	ID   string          `json:"id"` // of the message, task or persona
	Task TaskID          `json:"task_id,omitempty"`
	Root TaskID          `json:"root_id,omitempty"`
	Data json.RawMessage `json:"data,omitempty"`
}

// An EventKind names an event as every watcher sees it.
type EventKind string

// What the journal tells. Data is the type named behind it.
const (
	MessageAccepted  EventKind = "message:accepted"      // CCMessage, cut to 32 KiB (Truncated)
	MessageDelivered EventKind = "message:delivered"     // Delivery
	MessageAcked     EventKind = "message:acked"         // Delivery
	MessageRetried   EventKind = "message:retried"       // Delivery
	MessageParked    EventKind = "message:parked"        // Delivery
	MessageDead      EventKind = "message:dead"          // Delivery
	MessageExpired   EventKind = "message:expired"       // Delivery
	MessageRefused   EventKind = "message:refused"       // Refusal
	MessageRouted    EventKind = "message:routed"        // CCMessage that is not journalled: progress, ping, pong
	TaskUpdated      EventKind = "task:status_update"    // Task
	PersonaUpdated   EventKind = "persona:status_update" // Member
	PersonaThought   EventKind = "persona:thinking"      // Utterance
	PersonaSaid      EventKind = "persona:text"          // Utterance
	PersonaUsedTool  EventKind = "persona:tool"          // Utterance

	ApprovalAsked    EventKind = "approval:asked"    // Approval; its id is that of the root task, or "day"
	ApprovalAnswered EventKind = "approval:answered" // Resumed
	ConfigUpdated    EventKind = "config:updated"    // RoleState, or Roles

	ServerStarted  EventKind = "server:startup"               // Status
	GroupCreated   EventKind = "group:created"                // Group
	GroupRemoved   EventKind = "group:deleted"                // Group
	StageAdvanced  EventKind = "group:stage_advanced"         // Stage
	AgentCreated   EventKind = "agent:created"                // Agent
	AgentUpdated   EventKind = "agent:status_update"          // Agent
	AgentEnded     EventKind = "agent:completed"              // Agent
	ResultReported EventKind = "agent:result_reported"        // AgentResult
	ModelValidated EventKind = "healthcheck:model_validation" // RoleState
	RoleCheckBegun EventKind = "healthcheck:role_start"       // RoleState
	RoleChecked    EventKind = "healthcheck:role_complete"    // RoleState
	HealthChecked  EventKind = "healthcheck:complete"         // Roles
)

// A Delivery is the data of an event about one row of an inbox.
type Delivery struct {
	Message MessageID `json:"message_id"`
	To      Address   `json:"to_agent"`
	Attempt int       `json:"attempt"`
	Error   string    `json:"error,omitempty"`
}

// A Refusal is the data of an event about a message that was not accepted.
type Refusal struct {
	From  Address `json:"from_agent"`
	To    Address `json:"to_agent"`
	Type  Type    `json:"type"`
	Code  Code    `json:"code"`
	Error string  `json:"error"`
}

// A Stage is the data of an event about a sequence that went on.
type Stage struct {
	Group  GroupID   `json:"groupId"`
	Index  int       `json:"stageIndex"`
	Agents []AgentID `json:"agentIds"`
}

// An Utterance is what a persona thinks, says or does inside a turn.
type Utterance struct {
	From Address `json:"from_agent"`
	Text string  `json:"text"`
	Tool string  `json:"tool,omitempty"`
}

// Truncated marks an event that holds only the beginning of its message; ask
// for the whole with GetMessage.
type Truncated struct {
	CCMessage
	Truncated bool `json:"truncated,omitempty"`
}

// UnmarshalJSON is its own, because the message's would be taken for it and
// refuse the mark.
func (t *Truncated) UnmarshalJSON(b []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		return err
	}
	if mark, ok := fields["truncated"]; ok {
		if err := json.Unmarshal(mark, &t.Truncated); err != nil {
			return err
		}
		delete(fields, "truncated")
	}
	rest, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	return t.CCMessage.UnmarshalJSON(rest)
}

// A Topic says which events a watcher wants. The zero Topic is everything.
type Topic struct {
	Task  TaskID      `json:"task_id,omitempty"` // the root of a tree
	Kinds []EventKind `json:"kinds,omitempty"`
	IDs   []string    `json:"ids,omitempty"` // of messages, tasks, personas, agents, groups
}

// Wants reports whether e is on the topic.
func (t Topic) Wants(e Event) bool {
	if t.Task != "" && t.Task != e.Root && t.Task != e.Task {
		return false
	}
	return (len(t.Kinds) == 0 || slices.Contains(t.Kinds, e.Kind)) &&
		(len(t.IDs) == 0 || slices.Contains(t.IDs, e.ID))
}

func (Event) word() {}
