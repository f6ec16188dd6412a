package tools

import (
	"context"

	"kurogo/messages"
)

const maxFiles = 10_000

func (c *Catalogue) results() []entry {
	files := list(0, maxFiles, text(pathChars, ""), "")
	return []entry{define(plan{
		name: "report_result", title: "Report an agent's result", agents: true, hints: messages.Hints{Idempotent: true},
		about: "Stores what an agent says of its own work. If you are an agent that Kurogo runs, call it with your own agentId when your work is done, whether it went well or not, and then end. " +
			"Reporting while you run stores the report; a second one replaces the first. Returns registered.",
		input: object(
			must("agentId", agentID.on("your own agentId; the system prompt names it")),
			must("status", oneOf("how the work came out", results...)),
			must("summary", text(16<<10, "the outcome in a few sentences, for whoever asked")),
			may("response", limited("message_bytes", c.o.Limits.MessageBytes, "the whole answer, if the summary is not enough")),
			may("editedFiles", files.on("paths of files you changed")),
			may("createdFiles", files.on("paths of files you made")),
			may("errorMessage", limited("message_bytes", c.o.Limits.MessageBytes, "what went wrong, if it did")),
		),
		answer: answer(
			must("registered", yes("true")),
			must("agentId", said("the agent")),
		),
		faults: agentFaults.also(faults{messages.CodeDenied: {"agentId", "report with your own agentId"}}),
	}, c.report)}
}

type report struct {
	messages.Report
	Agent messages.AgentID `json:"agentId"`
}

func (c *Catalogue) report(ctx context.Context, u use, a report) (any, error) {
	if u.who.Agent != "" && u.who.Agent != a.Agent {
		return nil, denied("agentId", "you are "+string(u.who.Agent)+", and may not report for "+string(a.Agent), "report with your own agentId")
	}
	r, err := ask[messages.Reported](ctx, c.port, messages.ReportResult{Agent: a.Agent, Report: a.Report, By: u.who})
	return struct {
		Registered bool             `json:"registered"`
		Agent      messages.AgentID `json:"agentId"`
	}{true, r.Agent}, err
}
