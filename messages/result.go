package messages

import (
	"slices"
	"time"
)

// A ResultStatus is how an agent's work came out.
type ResultStatus string

// How work can come out.
const (
	ResultSuccess   ResultStatus = "success"
	ResultFailure   ResultStatus = "failure"
	ResultTimeout   ResultStatus = "timeout"
	ResultCancelled ResultStatus = "cancelled"
)

// A Report is what an agent says of its own work.
type Report struct {
	Status   ResultStatus `json:"status"`
	Summary  string       `json:"summary"`
	Response string       `json:"response,omitempty"`
	Edited   []string     `json:"editedFiles,omitempty"`
	Created  []string     `json:"createdFiles,omitempty"`
	Error    string       `json:"errorMessage,omitempty"`
}

// ReportResult keeps an agent's report; a second one replaces the first until the
// group is deleted. The state changes at the agent's end. Answer: Reported.
// Refusals: invalid; not_found; denied for somebody else's agent; conflict in a
// deleted group.
type ReportResult struct {
	Agent AgentID `json:"agentId"`
	Report
	By Caller `json:"by"`
}

// Reported answers ReportResult.
type Reported struct {
	Agent AgentID `json:"agentId"`
}

// An AgentResult is what came of an agent: what its stream showed, merged with
// what it reported.
type AgentResult struct {
	Agent     AgentID      `json:"agentId"`
	Group     GroupID      `json:"groupId"`
	Status    ResultStatus `json:"status"`
	Summary   string       `json:"summary"`
	Response  string       `json:"response,omitempty"`
	Edited    []string     `json:"editedFiles"`
	Created   []string     `json:"createdFiles"`
	Duration  int64        `json:"duration_ms"`
	Model     string       `json:"model"`
	Role      string       `json:"role"`
	ToolCalls int          `json:"toolCallCount"`
	Error     string       `json:"errorMessage,omitempty"`
	Diff      string       `json:"diff,omitempty"`
	Cost      int64        `json:"costMicros,omitempty"`
	Raw       string       `json:"rawOutput,omitempty"` // where to read the stream, never the stream
	Timestamp time.Time    `json:"timestamp"`
}

// Merge makes the result of an agent that has ended. What ended it wins over what
// it says of itself: a success with a fall is a failure, after a time-out a
// timeout. Files are the union; the rest of the figures are ours.
func Merge(a Agent, r *Report) AgentResult {
	end := a.Outcome
	out := AgentResult{
		Agent: a.ID, Group: a.Group, Status: end.Verdict(), Summary: a.Run.Last, Edited: a.Run.Edited, Created: a.Run.Created,
		Duration: a.Elapsed(a.EndedAt).Milliseconds(), Model: a.Model, Role: a.Role, ToolCalls: a.Run.ToolCalls,
		Error: a.Run.Error, Diff: a.Run.Diff, Cost: a.Run.CostMicros, Timestamp: a.EndedAt,
	}
	if r != nil {
		if out.Status == ResultSuccess {
			out.Status = r.Status
		}
		out.Summary, out.Response = r.Summary, r.Response
		if out.Error == "" {
			out.Error = r.Error
		}
		out.Edited, out.Created = union(out.Edited, r.Edited), union(out.Created, r.Created)
	}
	out.Edited, out.Created = union(nil, out.Edited), union(nil, out.Created)
	return out
}

// union keeps the order in which the names were first said; it is never nil.
func union(a, b []string) []string {
	out := make([]string, 0, len(a)+len(b))
	for _, s := range slices.Concat(a, b) {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func (ReportResult) word() {}
func (Reported) word()     {}
