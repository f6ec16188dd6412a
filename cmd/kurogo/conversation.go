package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"kurogo/messages"
	"kurogo/transport/local"
)

func (p *program) messages() *cobra.Command {
	var follow, log bool
	var task, thinking, level string
	c := &cobra.Command{
		Use:   "messages",
		Short: "Show what the crew says to one another",
		Long: `Messages shows the conversation: time, from → to, type, text, and what the
agents think. With --log it shows the communication log: one row for every
attempt to hand a message over, without its content.`,
		Example: "  kurogo messages --follow\n  kurogo messages --task 0199… --thinking detailed\n  kurogo messages --log --level warn",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if log {
				return p.log(c.Context(), messages.Level(level))
			}
			out, err := p.printer(p.out, thinking)
			if err != nil {
				return err
			}
			return p.listen(c.Context(), out, messages.TaskID(task), follow)
		},
	}
	f := c.Flags()
	f.BoolVarP(&follow, "follow", "f", false, "go on with what happens next")
	f.StringVar(&task, "task", "", "only the tree of this task")
	f.StringVar(&thinking, "thinking", "simple", "how much of the thinking: simple, detailed, verbose or off")
	f.BoolVar(&log, "log", false, "show the communication log")
	f.StringVar(&level, "level", "info", "with --log: debug, info, warn or error, and louder")
	return c
}

// listen shows the events from the beginning, to where they are now or for ever.
func (p *program) listen(ctx context.Context, out *printer, task messages.TaskID, follow bool) error {
	client, err := p.connect(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	status, err := askOn[messages.Status](ctx, client, messages.GetStatus{})
	if err != nil {
		return err
	}
	topic, err := treeOf(ctx, client, task)
	if err != nil {
		return err
	}
	if !follow && status.LastEvent == 0 {
		return nil
	}
	if !follow { // an unfiltered watch reaches the present for certain
		return p.history(ctx, client, out, topic, status.LastEvent)
	}
	for e, err := range client.Watch(ctx, topic, 0) {
		if errors.Is(err, context.Canceled) && ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		if err := out.show(e); err != nil {
			return err
		}
	}
	return nil
}

func (p *program) history(ctx context.Context, h local.House, out *printer, topic messages.Topic, last int64) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for e, err := range h.Watch(ctx, messages.Topic{}, 0) {
		if err != nil {
			return err
		}
		if topic.Wants(e) {
			if err := out.show(e); err != nil {
				return err
			}
		}
		if e.Seq >= last {
			break
		}
	}
	return nil
}

// treeOf is the topic of the whole tree that a task belongs to.
func treeOf(ctx context.Context, h local.House, task messages.TaskID) (messages.Topic, error) {
	if task == "" {
		return messages.Topic{}, nil
	}
	tree, err := askOn[messages.TaskTree](ctx, h, messages.GetTask{Task: task})
	return messages.Topic{Task: tree.Task.Root}, err
}

func (p *program) log(ctx context.Context, level messages.Level) error {
	switch level {
	case messages.Debug, messages.LogInfo, messages.Warn, messages.LogErr:
	default:
		return messages.Invalid("level", "%q is no level", level).Try("use debug, info, warn or error")
	}
	answer, err := ask[messages.CommunicationLog](ctx, p, messages.ListLog{Level: level})
	if err != nil {
		return err
	}
	if p.flags.json {
		return printEach(p, answer.Rows)
	}
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TIME\tFROM\tTO\tTYPE\tBYTES\tMS\tOK\tERROR")
	for _, r := range answer.Rows {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%.0f\t%v\t%s\n", r.Timestamp.Local().Format("15:04:05.000"), r.From, r.To, r.Type, r.Size, r.DurationMS, r.Success, clean(r.Error))
	}
	return w.Flush()
}
