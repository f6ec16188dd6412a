package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"kurogo/messages"
	"kurogo/transport/local"
)

func (p *program) ps() *cobra.Command {
	var q messages.ListAgents
	var group string
	c := &cobra.Command{
		Use:   "ps",
		Short: "List the agents, the newest last",
		Long: `Ps lists agents: those that have not ended and the last ten that have, or with
--status those in that state. failed stands for failed, timed_out, lost and
cancelled; completed includes those that have reported.`,
		Example: "  kurogo ps\n  kurogo ps --status failed\n  kurogo ps --group grp-1739487600-a3f2 --json",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			q.Group, q.By = messages.GroupID(group), p.caller()
			client, err := p.connect(c.Context())
			if err != nil {
				return err
			}
			defer client.Close()
			agents, err := recent(c.Context(), client, q)
			if err != nil {
				return err
			}
			return p.showAgents(agents)
		},
	}
	f := c.Flags()
	f.StringVar(&group, "group", "", "only agents of this group")
	f.StringVar(&q.Status, "status", "", "only queued, running, completed or failed, or all")
	f.IntVar(&q.Limit, "limit", 100, "at most so many")
	return c
}

// lately is how many agents that have ended are shown unasked.
const lately = 10

// recent asks for the agents that a person wants to see: where no status is
// named, all that have not ended and the last that have.
func recent(ctx context.Context, h local.House, q messages.ListAgents) ([]messages.Agent, error) {
	if q.Status != "" {
		answer, err := askOn[messages.Agents](ctx, h, q)
		return answer.Agents, err
	}
	var open, ended []messages.Agent
	for _, status := range []string{"completed", "failed", "queued", "running"} {
		q.Status = status
		answer, err := askOn[messages.Agents](ctx, h, q)
		if err != nil {
			return nil, err
		}
		for _, a := range answer.Agents {
			if a.Status.Final() {
				ended = append(ended, a)
			} else {
				open = append(open, a)
			}
		}
	}
	byAge := func(a, b messages.Agent) int { return a.QueuedAt.Compare(b.QueuedAt) }
	slices.SortStableFunc(ended, byAge)
	open = append(open, ended[max(0, len(ended)-lately):]...)
	slices.SortStableFunc(open, byAge)
	return open, nil
}

func (p *program) showAgents(list []messages.Agent) error {
	if p.flags.json {
		return printEach(p, list)
	}
	if len(list) == 0 {
		p.tell("%s", p.say("no agents"))
		return nil
	}
	t := p.table("AGENT", "GROUP", "ROLE", "DRIVER", "MODEL", "STATUS", "ELAPSED", "TOOLS", "LAST")
	for _, a := range list {
		t.add(string(a.ID), string(a.Group), a.Role, a.Driver, or(a.Model), "", elapsed(a), strconv.Itoa(a.Run.ToolCalls), p.last(a))
		t.rows[len(t.rows)-1][5] = look(a)
	}
	return t.print(p.out)
}

// last is the latest of an agent in one line: why it failed or waits, or what it
// said.
func (p *program) last(a messages.Agent) string {
	text := a.Run.Last
	switch {
	case a.Status == messages.AgentQueued && a.Waiting != "":
		text = a.Waiting
	case a.Run.Error != "":
		text = a.Run.Error
	}
	return rehearsalMark(a.Rehearsal && text != "") + short(clean(text), 200)
}

// looks are the icon and the colour of a state; its word stands beside them.
var looks = map[messages.AgentStatus]cell{
	messages.AgentQueued:    {"◌", dim},
	messages.AgentRunning:   {"●", cyan},
	messages.AgentCompleted: {"✓", green},
	messages.AgentFailed:    {"✗", red},
	messages.AgentTimedOut:  {"◷", red},
	messages.AgentCancelled: {"⊘", yellow},
	messages.AgentLost:      {"∅", red},
}

const green = "\x1b[32m"

// look is an agent's state. One that has reported looks as it ended.
func look(a messages.Agent) cell {
	outcome := a.Status
	if a.Status == messages.AgentReported {
		outcome = a.Outcome
	}
	c := looks[outcome]
	c.text += " " + string(a.Status)
	if a.Status == messages.AgentReported && a.Outcome != messages.AgentCompleted {
		c.text += " (" + string(a.Outcome) + ")"
	}
	return c
}

// elapsed is how long an agent has run, or ran.
func elapsed(a messages.Agent) string {
	if a.StartedAt.IsZero() {
		return "-"
	}
	return span(a.Elapsed(time.Now()))
}

// span is a duration for people.
func span(d time.Duration) string {
	d = max(0, d)
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
}
