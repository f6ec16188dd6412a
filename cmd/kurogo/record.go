package main

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"kurogo/config"
	"kurogo/drivers/rehearsal"
	"kurogo/messages"
	"kurogo/transport/local"
)

func (p *program) record() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "record TASK",
		Short: "Make a rehearsal script of what happened in a task",
		Long: `Record turns a task and everything below it into a script that a rehearsal
plays: who was asked what, thought, said, sent and fell, with the pauses between,
none longer than two seconds. Played by the same crew, the same task has the same
conversation, so that a bug can be shown without the models that made it.

What looks like a key, a token or a password is taken out, and so are the values
of such variables. Read the script before you pass it on all the same.`,
		Example: "  kurogo record 0199… --out play.toml\n" +
			"  kurogo submit \"$(cat task.txt)\" --wait --set driver=rehearsal --set drivers.rehearsal.performance=play.toml",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return p.recordTask(c.Context(), messages.TaskID(args[0]), out)
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "write into this new file (default: standard output)")
	return c
}

func (p *program) recordTask(ctx context.Context, task messages.TaskID, file string) error {
	events, said, err := p.happened(ctx, task)
	if err != nil {
		return err
	}
	r, err := rehearsal.Record(events, said, rehearsal.Redact(p.secrets()))
	if err != nil {
		return err
	}
	if len(r.Performance.Scenes) == 0 {
		return messages.Errorf(messages.CodeConflict, "nobody has ended a turn of task %s yet", task).Try("wait, and see kurogo task " + string(task))
	}
	script, err := config.EncodePerformance(r.Performance)
	if err != nil {
		return err
	}
	if file != "" {
		if err := writeNew(file, script); err != nil {
			return err
		}
	}
	return p.showRecording(task, file, string(script), r)
}

// happened is everything that the journal tells about the tree of a task, up to
// now, with the states of the personas meanwhile.
func (p *program) happened(ctx context.Context, task messages.TaskID) (events []messages.Event, said []messages.CCMessage, err error) {
	client, err := p.connect(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer client.Close()
	topic, err := treeOf(ctx, client, task)
	if err != nil {
		return nil, nil, err
	}
	status, err := askOn[messages.Status](ctx, client, messages.GetStatus{})
	if err != nil {
		return nil, nil, err
	}
	watch, stop := context.WithCancel(ctx)
	defer stop()
	for e, err := range client.Watch(watch, messages.Topic{}, 0) { // an unfiltered watch reaches the present for certain
		if err != nil {
			return nil, nil, err
		}
		if topic.Wants(e) || e.Kind == messages.PersonaUpdated {
			events = append(events, e)
		}
		if e.Seq >= status.LastEvent {
			break
		}
	}
	said, err = allSaid(ctx, client, topic.Task)
	return events, said, err
}

// allSaid are the messages of a tree, page by page.
func allSaid(ctx context.Context, h local.House, root messages.TaskID) (all []messages.CCMessage, err error) {
	for since := int64(0); ; {
		page, err := askOn[messages.Conversation](ctx, h, messages.ListMessages{Task: root, Since: since})
		if err != nil || len(page.Messages) == 0 {
			return all, err
		}
		all, since = append(all, page.Messages...), page.Next
	}
}

// secrets are the variables that may name some: ours, and those of the agents.
func (p *program) secrets() []string {
	env := append([]string{}, p.environ...)
	for _, d := range p.cfg.Drivers {
		for name, value := range d.Env {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// writeNew writes a file that only its owner may read, and never over another.
func writeNew(file string, text []byte) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return messages.Errorf(messages.CodeConflict, "%s is there already", file).Try("name another file, or move it away first")
	case err != nil:
		return messages.Invalid("out", "%v", err).Try("name a file that can be written")
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return messages.Errorf(messages.CodeUnavailable, "write recording: %v", err)
	}
	return nil
}

func (p *program) showRecording(task messages.TaskID, file, script string, r rehearsal.Recording) error {
	if p.flags.json {
		answer := map[string]any{"task_id": task, "scenes": len(r.Performance.Scenes), "notes": append([]string{}, r.Notes...)}
		if file != "" {
			answer["file"] = file
		} else {
			answer["performance"] = script
		}
		return p.print(answer)
	}
	for _, n := range r.Notes {
		p.tell(p.say("record note"), clean(n))
	}
	if file == "" {
		_, err := p.out.Write([]byte(script))
		return err
	}
	p.tell(p.say("recorded"), len(r.Performance.Scenes), file)
	return nil
}
