package tools

import (
	"encoding/json"
	"time"

	"kurogo/messages"
)

// lastBytes bounds what a status shows of an agent's last words: the result has
// them whole.
const lastBytes = 16 << 10

// An agentView is an agent in a list.
type agentView struct {
	ID        messages.AgentID     `json:"agentId"`
	Group     messages.GroupID     `json:"groupId"`
	Role      string               `json:"role"`
	Model     string               `json:"model"`
	Status    messages.AgentStatus `json:"status"`
	Outcome   *string              `json:"outcome"`
	StartedAt *string              `json:"startedAt"`
	Elapsed   int64                `json:"elapsed_ms"`
	ToolCalls int                  `json:"toolCallCount"`
}

func showAgent(a messages.Agent, now time.Time) agentView {
	return agentView{
		a.ID, a.Group, a.Role, a.Model, a.Status, word(a.Outcome), stamp(a.StartedAt), elapsed(a, now), a.Run.ToolCalls,
	}
}

func elapsed(a messages.Agent, now time.Time) int64 { return max(0, a.Elapsed(now).Milliseconds()) }

type agentsView struct {
	Agents []agentView `json:"agents"`
	Total  int         `json:"total"`
}

func (c *Catalogue) showAgents(m messages.Agents) agentsView {
	now := c.o.Now()
	return agentsView{each(m.Agents, func(a messages.Agent) agentView { return showAgent(a, now) }), m.Total}
}

// A detailView is an agent with what it last said and did, and what came of it.
type detailView struct {
	agentView
	Last   string      `json:"lastAssistantMessage"`
	Recent []callView  `json:"recentToolCalls"`
	Result *resultView `json:"result"`
}

type callView struct {
	ID      string          `json:"callId"`
	Type    string          `json:"type"`
	Subtype string          `json:"subtype"`
	Args    json.RawMessage `json:"args"`
}

type resultView struct {
	messages.AgentResult
	Timestamp *string `json:"timestamp"` // instead of the other
}

func showDetail(d messages.AgentDetail, now time.Time) detailView {
	recent := d.Run.Recent[max(0, len(d.Run.Recent)-messages.RecentCalls):]
	out := detailView{agentView: showAgent(d.Agent, now), Last: messages.Cut(d.Run.Last, lastBytes), Recent: each(recent, showCall)}
	if d.Result != nil {
		r := resultView{*d.Result, stamp(d.Result.Timestamp)}
		r.Edited, r.Created = each(r.Edited, same), each(r.Created, same)
		out.Result = &r
	}
	return out
}

// showCall gives the arguments as the JSON that they are. What was cut is none
// any more, and is shown as text.
func showCall(r messages.RecentCall) callView {
	args := json.RawMessage(r.Args)
	if !json.Valid(args) {
		args, _ = encode(r.Args) // a text can be encoded
	}
	return callView{r.ID, r.Type, r.Subtype, args}
}

// A bornView is what is told of an agent when it is accepted.
type bornView struct {
	ID     messages.AgentID     `json:"agentId"`
	Group  messages.GroupID     `json:"groupId"`
	Role   string               `json:"role"`
	Model  string               `json:"model"`
	Status messages.AgentStatus `json:"status"`
}

func born(a messages.Agent) bornView { return bornView{a.ID, a.Group, a.Role, a.Model, a.Status} }

// outcome is the state in which an agent ended, also behind result_reported.
func outcome(a messages.Agent) messages.AgentStatus {
	if a.Outcome != "" {
		return a.Outcome
	}
	return a.Status
}

// The schemas of these views.
var (
	agentStates = []messages.AgentStatus{
		messages.AgentQueued, messages.AgentRunning, messages.AgentCompleted, messages.AgentFailed,
		messages.AgentTimedOut, messages.AgentCancelled, messages.AgentLost, messages.AgentReported,
	}
	finalStates = agentStates[2:7]

	bornProps = []prop{
		must("agentId", said("the agent's id: keep it")),
		must("groupId", said("its group")),
		must("role", said("its role")),
		must("model", said("the model that the role decides")),
		must("status", oneOf("queued at first", agentStates...)),
	}
	agentProps = []prop{
		must("agentId", said("the agent's id")),
		must("groupId", said("its group")),
		must("role", said("its role")),
		must("model", said("its model")),
		must("status", oneOf("its state", agentStates...)),
		must("outcome", orNull(oneOf("how it ended; null until then", finalStates...))),
		must("startedAt", moment("when its process began; null while it is queued")),
		must("elapsed_ms", number("how long it has run")),
		must("toolCallCount", number("how many tools it has used")),
	}
	callSchema = answer(
		must("callId", said("the call's id")),
		must("type", said("the tool")),
		must("subtype", said("started or completed")),
		must("args", &schema{about: "the arguments"}),
	)
	resultSchema = orNull(answer(
		must("agentId", said("the agent")),
		must("groupId", said("its group")),
		must("status", oneOf("how the work came out", results...)),
		must("summary", said("what the agent says of it")),
		may("response", said("the agent's whole answer")),
		must("editedFiles", list(0, 0, said(""), "files it changed")),
		must("createdFiles", list(0, 0, said(""), "files it made")),
		must("duration_ms", number("how long it ran")),
		must("model", said("its model")),
		must("role", said("its role")),
		must("toolCallCount", number("how many tools it used")),
		may("errorMessage", said("why it failed")),
		may("diff", said("what it changed in its worktree, as a unified diff")),
		may("costMicros", number("what it cost, in micro-dollars")),
		may("rawOutput", said("where its whole output can be read")),
		must("timestamp", moment("when it ended")),
	).on("what came of it; null until it has ended"))
)

var results = []messages.ResultStatus{
	messages.ResultSuccess, messages.ResultFailure, messages.ResultTimeout, messages.ResultCancelled,
}
