package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kurogo/messages"
	"kurogo/transport/local"
)

func (p *program) agentWait() *cobra.Command {
	var anyone bool
	var timeout time.Duration
	c := &cobra.Command{
		Use:   "wait ID…",
		Short: "Wait until agents have ended, in whatever way",
		Long: `Wait tells on stderr what the agents do, and prints how they ended. It ends with
0 when all have completed; with 1 when one failed; with 124 when all that did not
complete ran out of time, or --timeout passed; with 131 when they were cancelled.`,
		Example: "  kurogo agent wait impl-code-1739487600-a3f2 impl-test-1739487601-b4c5\n  kurogo agent wait --any --timeout 10m $AGENTS",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			ids := make([]messages.AgentID, len(args))
			for i, id := range args {
				ids[i] = messages.AgentID(id)
			}
			return p.waitFor(c.Context(), ids, anyone, timeout)
		},
	}
	c.Flags().BoolVar(&anyone, "any", false, "wait for the first of them, not for all")
	c.Flags().DurationVar(&timeout, "timeout", 0, "how long to wait at most; the agents go on")
	return c
}

func (p *program) waitFor(ctx context.Context, ids []messages.AgentID, anyone bool, timeout time.Duration) error {
	client, err := p.connect(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	status, err := askOn[messages.Status](ctx, client, messages.GetStatus{})
	if err != nil {
		return err
	}
	patient := ctx
	if timeout > 0 {
		var cancel context.CancelFunc
		patient, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	asked, err := askOn[messages.Agents](ctx, client, messages.ListAgents{Agents: ids, Limit: len(ids), By: p.caller()})
	if err != nil {
		return err
	}
	ended, err := p.awaitAgents(patient, client, asked.Agents, anyone, status.LastEvent)
	if err != nil && patient.Err() != nil && ctx.Err() == nil {
		err = messages.Errorf(messages.CodeDeadline, "%d of %d agents have not ended within %s", len(asked.Agents)-len(ended), len(asked.Agents), timeout).Try("they go on: wait again")
	}
	if shown := p.showAgents(ended); shown != nil || len(ended) == 0 && err == nil {
		return errors.Join(err, shown)
	}
	if err != nil {
		return err
	}
	return ending(ended)
}

// awaitAgents follows agents until all of them have ended, or with anyone the
// first. It returns those that have, in the order asked for, also beside an error.
// The cursor since was taken before they were read, so nothing is missed.
func (p *program) awaitAgents(ctx context.Context, h local.House, list []messages.Agent, anyone bool, since int64) ([]messages.Agent, error) {
	var ids []messages.AgentID
	state := map[messages.AgentID]messages.Agent{}
	for _, a := range list { // twice is once
		if _, known := state[a.ID]; !known {
			ids = append(ids, a.ID)
		}
		state[a.ID] = a
	}
	ended := func() (list []messages.Agent) {
		for _, id := range ids {
			if state[id].Status.Final() {
				list = append(list, state[id])
			}
		}
		return list
	}
	over := func() bool { n := len(ended()); return n == len(ids) || n > 0 && anyone }
	if over() {
		return ended(), nil
	}
	topic := messages.Topic{Kinds: []messages.EventKind{messages.AgentUpdated, messages.AgentEnded}}
	for _, id := range ids {
		topic.IDs = append(topic.IDs, string(id))
	}
	for e, err := range h.Watch(ctx, topic, since) {
		if err != nil {
			return ended(), err
		}
		a, err := read[messages.Agent](e)
		if err != nil {
			return ended(), fmt.Errorf("read event %d: %w", e.Seq, err)
		}
		before := state[a.ID]
		if before.Status.Final() { // its result comes later than its end
			continue
		}
		p.progress(e.At, before, a)
		state[a.ID] = a
		if over() {
			break
		}
	}
	return ended(), nil
}

// progress tells what is new of an agent, in one line.
func (p *program) progress(at time.Time, before, a messages.Agent) {
	if p.flags.json || before.Status == a.Status && before.Run.ToolCalls == a.Run.ToolCalls && before.Run.Last == a.Run.Last {
		return
	}
	out := &printer{program: p, colour: p.colours(p.err)}
	l := look(a)
	line := fmt.Sprintf("%s %s  %s", at.Local().Format("15:04:05.000"), out.paint(bold, string(a.ID)), out.paint(l.colour, l.text))
	if a.Run.ToolCalls > 0 {
		line += fmt.Sprintf("  %d×", a.Run.ToolCalls)
	}
	p.tell("%s", strings.TrimRight(line+"  "+short(p.last(a), 100), " "))
}

// ending makes an exit status of how agents ended: that of those that did not
// complete, where it is the same for all of them.
func ending(list []messages.Agent) error {
	status := 0
	for _, a := range list {
		var its int
		switch a.Outcome {
		case messages.AgentCompleted:
			continue
		case messages.AgentTimedOut:
			its = messages.CodeDeadline.Exit()
		case messages.AgentCancelled:
			its = messages.CodeCancelled.Exit()
		default:
			its = 1
		}
		if status != 0 && status != its {
			its = 1
		}
		status = its
	}
	if status == 0 {
		return nil
	}
	return silent{status}
}
