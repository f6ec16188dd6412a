package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"kurogo/messages"
	"kurogo/transport/local"
)

// A submission is what the flags of submit say.
type submission struct {
	to, priority, key, thinking string
	deadline                    time.Duration
	wait, standalone            bool
}

func (p *program) submit() *cobra.Command {
	var s submission
	c := &cobra.Command{
		Use:   "submit TASK",
		Short: "Give the crew a task",
		Long: `Submit writes the task down and hands it to the crew. When it says "accepted",
the task is durable: whatever crashes from then on, it ends exactly once.
With - as TASK the text is read from standard input.`,
		Example: `  kurogo submit "Add a --json flag to the export command" --wait
  kurogo submit - --priority high < task.md
  kurogo submit "Fix the build" --deadline 30m --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return p.submitTask(c.Context(), args[0], s) },
	}
	f := c.Flags()
	f.StringVar(&s.to, "to", "", "persona that gets it (default: the one at the top)")
	f.StringVar(&s.priority, "priority", "", "low, normal, high or urgent")
	f.StringVar(&s.key, "key", "", "submitting twice under one key is submitting once")
	f.DurationVar(&s.deadline, "deadline", 0, "how long the whole task may take, for example 30m")
	f.BoolVar(&s.wait, "wait", false, "wait for the result and print it")
	f.StringVar(&s.thinking, "thinking", "simple", "while waiting on a terminal: simple, detailed, verbose or off")
	f.BoolVar(&s.standalone, "standalone", false, "run the crew in this process and stay until the task ends")
	return c
}

func (p *program) submitTask(ctx context.Context, text string, s submission) error {
	if text == "-" {
		b, err := io.ReadAll(io.LimitReader(os.Stdin, int64(p.cfg.Limits.MessageBytes)+1))
		if err != nil {
			return fmt.Errorf("read task: %w", err)
		}
		text = string(b)
	}
	if strings.TrimSpace(text) == "" {
		return messages.Invalid("task", "the task is empty").Try(`say what is to be done: kurogo submit "…"`)
	}
	if !utf8.ValidString(text) { // on its way to the owner it would be bent into shape
		return messages.Invalid("task", "the text is not UTF-8").Try("submit UTF-8")
	}
	word := messages.Submit{Key: s.key, Deadline: s.deadline, Message: messages.CCMessage{
		ID: newMessageID(), From: messages.User, To: messages.Address(s.to), Type: messages.TaskRequest, Content: text,
		Metadata: messages.Metadata{Priority: messages.Priority(s.priority)},
	}}
	if s.standalone {
		if err := p.notInside(); err != nil {
			return err
		}
		h, err := openHouse(ctx, p.site, p.cfg, p.standaloneLogger(), false)
		if err != nil {
			return err
		}
		err = p.follow(ctx, h, word, s)
		return errors.Join(err, h.close(context.WithoutCancel(ctx)))
	}
	client, err := p.connect(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	if s.wait {
		return p.follow(ctx, client, word, s)
	}
	a, err := askOn[messages.Accepted](ctx, client, word)
	if err != nil {
		return err
	}
	if p.flags.json {
		return p.print(a)
	}
	p.tell(p.say("wait hint"), a.Task)
	_, err = fmt.Fprintln(p.out, a.Task)
	return err
}

// standaloneLogger leaves to the conversation what is no trouble.
func (p *program) standaloneLogger() *slog.Logger {
	level := p.level()
	if level == slog.LevelInfo {
		level = slog.LevelWarn
	}
	return slog.New(slog.NewTextHandler(p.err, &slog.HandlerOptions{Level: level}))
}

// follow submits, shows what happens, and prints the result.
func (p *program) follow(ctx context.Context, h local.House, word messages.Submit, s submission) error {
	status, err := askOn[messages.Status](ctx, h, messages.GetStatus{})
	if err != nil {
		return err
	}
	if status.Rehearsal {
		p.tell("%s", p.say("rehearsal"))
	}
	a, err := askOn[messages.Accepted](ctx, h, word)
	if err != nil {
		return err
	}
	show := func(messages.Event) error { return nil }
	if !p.flags.json {
		out, err := p.printer(p.err, s.thinking)
		if err != nil {
			return err
		}
		show = out.show
	}
	task, err := await(ctx, h, a.Task, status.LastEvent, show)
	if err != nil {
		p.tell(p.say("goes on"), a.Task)
		return err
	}
	return p.result(task, status.Rehearsal)
}

// await watches a task until it ends. The cursor was taken before the task was
// submitted, so nothing of it is missed.
func await(ctx context.Context, h local.House, id messages.TaskID, since int64, show func(messages.Event) error) (messages.Task, error) {
	tree, err := askOn[messages.TaskTree](ctx, h, messages.GetTask{Task: id})
	if err != nil || tree.Task.Status.Final() { // submitted before, and over
		return tree.Task, err
	}
	for e, err := range h.Watch(ctx, messages.Topic{Task: id}, since) {
		if err != nil {
			return messages.Task{}, err
		}
		if err := show(e); err != nil {
			return messages.Task{}, err
		}
		if e.Kind != messages.TaskUpdated || e.ID != string(id) {
			continue
		}
		if t, err := read[messages.Task](e); err != nil || t.Status.Final() {
			break
		}
	}
	tree, err = askOn[messages.TaskTree](ctx, h, messages.GetTask{Task: id})
	return tree.Task, err
}

// result prints how a task ended and makes an exit status of it.
func (p *program) result(t messages.Task, rehearsal bool) error {
	if p.flags.json {
		if err := p.print(t); err != nil {
			return err
		}
	} else if _, err := fmt.Fprintln(p.out, rehearsalMark(rehearsal)+harmless(t.Result)); err != nil {
		return err
	}
	switch t.Status { //nolint:exhaustive // only final states come here
	case messages.Completed:
		return nil
	case messages.TimedOut:
		return silent{messages.CodeDeadline.Exit()}
	case messages.Cancelled:
		return silent{messages.CodeCancelled.Exit()}
	}
	if t.Code == messages.CodeUnavailable { // there was nobody who could do it
		return silent{t.Code.Exit()}
	}
	return silent{1}
}
