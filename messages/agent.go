package messages

import (
	"strings"
	"time"
)

// An AgentID names an agent: {role}-{unix}-{4hex}. The journal mints it. Roles
// contain "-": parse it from the right, or better not at all.
type AgentID string

const agentPrefix = "agent:"

// Address is the name under which the agent is known to the router.
func (a AgentID) Address() Address { return Address(agentPrefix + string(a)) }

// Agent is the agent that has this address; ok is false when it is none's.
func (a Address) Agent() (id AgentID, ok bool) {
	rest, ok := strings.CutPrefix(string(a), agentPrefix)
	return AgentID(rest), ok
}

const groupPrefix = "group:"

// Address is the name under which the group is known to the router.
func (g GroupID) Address() Address { return Address(groupPrefix + string(g)) }

// Group is the group that has this address; ok is false when it is none's.
func (a Address) Group() (id GroupID, ok bool) {
	rest, ok := strings.CutPrefix(string(a), groupPrefix)
	return GroupID(rest), ok
}

// An AgentStatus is where an agent stands.
type AgentStatus string

// An agent is queued until it has a slot and money, runs one turn, and ends in
// one of the next five. Once it has ended and reported, it is result_reported.
const (
	AgentQueued    AgentStatus = "queued"
	AgentRunning   AgentStatus = "running"
	AgentCompleted AgentStatus = "completed"
	AgentFailed    AgentStatus = "failed"
	AgentTimedOut  AgentStatus = "timed_out"
	AgentCancelled AgentStatus = "cancelled"
	AgentLost      AgentStatus = "lost" // kurogo ended, or fell, while it ran
	AgentReported  AgentStatus = "result_reported"
)

// Final reports whether the agent has ended.
func (s AgentStatus) Final() bool { return s != AgentQueued && s != AgentRunning && s != "" }

// Verdict is what the status means for the result.
func (s AgentStatus) Verdict() ResultStatus {
	switch s {
	case AgentCompleted:
		return ResultSuccess
	case AgentTimedOut:
		return ResultTimeout
	case AgentCancelled:
		return ResultCancelled
	case AgentFailed, AgentLost, AgentQueued, AgentRunning, AgentReported:
	}
	return ResultFailure
}

// An Agent is one run of a role in a group.
type Agent struct {
	ID        AgentID       `json:"agentId"`
	Group     GroupID       `json:"groupId"`
	Role      string        `json:"role"`
	Driver    string        `json:"driver"`
	Model     string        `json:"model"`
	Status    AgentStatus   `json:"status"`
	Outcome   AgentStatus   `json:"outcome,omitempty"` // the final state, also behind result_reported
	Task      TaskID        `json:"taskId"`
	Stage     int           `json:"stage"`   // of its sequence, from 0
	Waiting   string        `json:"waiting"` // why a queued one does not run yet, for people; ""
	Dir       string        `json:"workingDirectory"`
	Timeout   time.Duration `json:"timeout"`
	Isolation Isolation     `json:"isolation"`
	CreatedBy Address       `json:"createdBy"`
	QueuedAt  time.Time     `json:"queuedAt"`
	StartedAt time.Time     `json:"startedAt,omitzero"`
	EndedAt   time.Time     `json:"endedAt,omitzero"`
	Prompt    string        `json:"prompt"` // cut at 2 KiB, but in AgentDetail
	Run       Run           `json:"run"`    // what its stream has shown so far; in lists without Recent
	Rehearsal bool          `json:"rehearsal"`
	Terms     Terms         `json:"terms,omitzero"` // of the job that it works for; in lists empty
}

// Elapsed is how long it has run until now, or until its end.
func (a Agent) Elapsed(now time.Time) time.Duration {
	switch {
	case a.StartedAt.IsZero():
		return 0
	case !a.EndedAt.IsZero():
		return a.EndedAt.Sub(a.StartedAt)
	}
	return now.Sub(a.StartedAt)
}

// An Isolation says where an agent writes.
type Isolation string

// An agent works in the directory itself, or in a git worktree of its own whose
// difference is part of its result.
const (
	IsolationNone     Isolation = "none"
	IsolationWorktree Isolation = "worktree"
)

// A Run is what the stream of an agent has shown.
type Run struct {
	ToolCalls    int          `json:"toolCallCount"`
	Last         string       `json:"lastAssistantMessage"`
	Recent       []RecentCall `json:"recentToolCalls,omitempty"` // the last ten, the oldest first
	Edited       []string     `json:"editedFiles,omitempty"`
	Created      []string     `json:"createdFiles,omitempty"`
	Deleted      []string     `json:"deletedFiles,omitempty"`
	InputTokens  int64        `json:"inputTokens,omitempty"`
	OutputTokens int64        `json:"outputTokens,omitempty"`
	CachedTokens int64        `json:"cachedTokens,omitempty"`
	CostMicros   int64        `json:"costMicros,omitempty"`
	ExitCode     int          `json:"exitCode"`
	Signal       string       `json:"signal,omitempty"`
	Error        string       `json:"error,omitempty"` // why it failed, with the last of stderr
	Class        Class        `json:"class,omitempty"` // how it failed
	Diff         string       `json:"diff,omitempty"`  // of its worktree, as a unified diff
	Argv         []string     `json:"argv,omitempty"`  // of its process, without secrets; not in lists
}

// A RecentCall is one use of a tool as the stream shows it.
type RecentCall struct {
	ID      string `json:"callId"`
	Type    string `json:"type"`    // the tool's name
	Subtype string `json:"subtype"` // "started" or "completed"
	Args    string `json:"args"`    // JSON, cut at 2 KiB

	StartedAt time.Time `json:"startedAt,omitzero"`
	EndedAt   time.Time `json:"endedAt,omitzero"`
}

// RecentCalls is how many uses of tools an agent's status shows.
const RecentCalls = 10

// An Order is what one agent is to do.
type Order struct {
	Role    string        `json:"role"`
	Prompt  string        `json:"prompt"`
	Dir     string        `json:"workingDirectory,omitempty"` // "" = where the caller works
	Timeout time.Duration `json:"timeout,omitempty"`          // 0 = limits.default_timeout
}

// RunAgents accepts agents, all or none. The agents of a stage begin when all of
// the stage before have ended, and are told what came of them. Answer: Agents, in
// order. Refusals: invalid; not_found for the group or a role; conflict when the
// group is deleted; unavailable when a role is; busy when too many are queued;
// denied in a group that is not the calling agent's own.
type RunAgents struct {
	Group  GroupID   `json:"groupId"`
	Stages [][]Order `json:"stages"`
	Key    string    `json:"idempotency_key,omitempty"`
	By     Caller    `json:"by"`
}

// ListAgents asks for agents, in the order of asking for them. Status is running,
// completed, failed, all or ""; Limit 0 means 100, the most is 1000. Answer:
// Agents. Refusals: invalid; not_found for one that is named.
type ListAgents struct {
	Group  GroupID   `json:"groupId,omitempty"`
	Agents []AgentID `json:"agentIds,omitempty"` // only these
	Status string    `json:"status,omitempty"`
	Limit  int       `json:"limit,omitempty"`
	By     Caller    `json:"by"`
}

// Agents answers RunAgents and ListAgents. Total counts those behind the limit
// too.
type Agents struct {
	Agents []Agent `json:"agents"`
	Total  int     `json:"total"`
}

// GetAgent asks for one agent. Answer: AgentDetail. Refusals: not_found; denied.
type GetAgent struct {
	Agent AgentID `json:"agentId"`
	By    Caller  `json:"by"`
}

// AgentDetail is an agent with everything that is known of it.
type AgentDetail struct {
	Agent
	Result *AgentResult `json:"result"`         // nil until it has ended
	Text   string       `json:"text,omitempty"` // with which its turn ended
}

// CancelAgent ends an agent. One that has ended stays as it is. Answer: Agent.
// Refusals: not_found; denied to agents.
type CancelAgent struct {
	Agent  AgentID `json:"agentId"`
	Reason string  `json:"reason,omitempty"`
	By     Caller  `json:"by"`
}

// LendSlot gives an agent's place among the working ones to another while the
// agent only waits, and Back takes it again; that answers when there is room.
// Answer: Done.
type LendSlot struct {
	Agent AgentID `json:"agentId"`
	Back  bool    `json:"back,omitempty"`
}

func (Agent) word()       {}
func (RunAgents) word()   {}
func (ListAgents) word()  {}
func (Agents) word()      {}
func (GetAgent) word()    {}
func (AgentDetail) word() {}
func (CancelAgent) word() {}
func (LendSlot) word()    {}
