package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kurogo/config"
	"kurogo/drivers/process"
	"kurogo/drivers/rehearsal"
	"kurogo/messages"
)

func (p *program) demo() *cobra.Command {
	var dir, thinking string
	var once bool
	c := &cobra.Command{
		Use:   "demo",
		Short: "Watch a rehearsed crew do a small real piece of work",
		Long: `Demo lets the default crew play a script: a task travels from you to the
grand boss, to the middle manager, to the specialists and back. One of them
falls, one message is refused, one overtakes, one expires. Nobody thinks and
nothing is paid; the processes, the messages and the files are real.

On a terminal it prints an address at which the stage can be watched, and goes
on showing it until Ctrl-C. With --once, and without a terminal, it ends with
the play.`,
		Example: "  kurogo demo\n  kurogo demo --once --lang ja --thinking detailed",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			out, err := p.printer(p.out, thinking)
			if err != nil {
				return err
			}
			if !c.Flags().Changed("once") {
				once = !isTerminal(p.out) || p.flags.json
			}
			return p.perform(c.Context(), out, dir, once)
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "where the crew works (default: a fresh temporary directory)")
	c.Flags().StringVar(&thinking, "thinking", "simple", "how much of the thinking: simple, detailed, verbose or off")
	c.Flags().BoolVar(&once, "once", false, "end with the play, and open no address (default: yes where there is no terminal)")
	return c
}

// perform runs the shipped performance in a house of its own, whose state is
// thrown away afterwards. Unless it is once, the house has a stage to watch, and
// stands until ctx ends.
func (p *program) perform(ctx context.Context, out *printer, dir string, once bool) error {
	cfg, err := config.Load(config.Source{Dir: "/", Overrides: map[string]string{"language": p.cfg.Language, "driver": rehearsal.Kind}})
	if err != nil {
		return err
	}
	script, err := config.LoadPerformance("", p.cfg.Language)
	if err != nil {
		return err
	}
	if dir == "" {
		if dir, err = os.MkdirTemp("", "kurogo-demo-"); err != nil {
			return fmt.Errorf("make stage: %w", err)
		}
	} else if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // the user's own files
		return messages.Invalid("dir", "%v", err).Try("name a directory that can be made")
	}
	state, err := os.MkdirTemp("", "kurogo-demo-state-")
	if err != nil {
		return fmt.Errorf("make stage: %w", err)
	}
	defer os.RemoveAll(state)
	cfg.Server.MCPWebSocketListen = "" // another kurogo may be there
	h, err := openHouse(ctx, site{project: dir, state: state, props: dir}, cfg, slog.New(slog.DiscardHandler), !once)
	if err != nil {
		return err
	}
	p.tell("%s", p.say("rehearsal"))
	seen := &scenes{}
	if !once {
		err = p.raiseCurtain(ctx, h)
	}
	var task messages.Task
	if err == nil {
		task, err = p.stage(ctx, h, out, script.Task, seen)
	}
	if err == nil {
		err = seen.check(ctx, h)
	}
	if err == nil && !once {
		p.tell("%s", p.say("demo stays"))
		p.invite(h.edge, "demo again")
		<-ctx.Done()
	}
	store := h.store.ID()
	if err := errors.Join(err, h.close(context.WithoutCancel(ctx))); err != nil {
		return err
	}
	seen.mark("swept", len(process.Find(store)) == 0)
	return p.review(context.WithoutCancel(ctx), task, seen, dir)
}

// stage submits the performance's task and shows what happens.
func (p *program) stage(ctx context.Context, h *house, out *printer, text string, seen *scenes) (messages.Task, error) {
	word := messages.Submit{Message: messages.CCMessage{ID: newMessageID(), Content: strings.TrimSpace(text)}}
	a, err := askOn[messages.Accepted](ctx, h, word)
	if err != nil {
		return messages.Task{}, err
	}
	return await(ctx, h, a.Task, 0, func(e messages.Event) error {
		seen.notice(e)
		return out.show(e)
	})
}

// review says what was to be seen, shows the work and fails if a scene failed.
func (p *program) review(ctx context.Context, t messages.Task, seen *scenes, dir string) error {
	if p.flags.json {
		if err := p.print(map[string]any{"task": t, "scenes": seen.done, "dir": dir, "rehearsal": true}); err != nil {
			return err
		}
		return seen.verdict(t)
	}
	fmt.Fprintf(p.out, "\n%s%s\n\n%s\n", rehearsalMark(true), harmless(t.Result), p.say("demo checks"))
	for _, s := range seen.done {
		mark := "✓"
		if !s.Ok {
			mark = "✗"
		}
		fmt.Fprintf(p.out, "  %s %s\n", mark, p.say("scene "+s.Name))
	}
	n, err := countFiles(dir)
	if err != nil {
		return fmt.Errorf("read stage: %w", err)
	}
	fmt.Fprintf(p.out, "\n"+p.say("demo files")+"\n", n, dir)
	if err := p.tryWork(ctx, dir); err != nil {
		return err
	}
	fmt.Fprintf(p.out, "\n%s\n", p.say("demo end"))
	return seen.verdict(t)
}

// tryWork builds and runs what the crew wrote.
func (p *program) tryWork(ctx context.Context, dir string) error {
	if !installed("go") {
		fmt.Fprintln(p.out, p.say("demo no go"))
		return nil
	}
	fmt.Fprintln(p.out, p.say("demo runs"))
	env := process.Environ(os.Environ(), map[string]string{"GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOWORK": "off", "GOTOOLCHAIN": "local"}, "GOCACHE", "GOPATH", "GOROOT")
	for _, argv := range [][]string{{"go", "test", "./..."}, {"go", "run", "."}} {
		out, stderr, code, err := process.Exec{}.Run(ctx, dir, env, argv...)
		if err != nil {
			return err
		}
		fmt.Fprintf(p.out, "$ %s\n%s", strings.Join(argv, " "), harmless(string(out)))
		if code != 0 {
			return messages.Errorf(messages.CodeInternal, "%s in %s: exit status %d: %s", strings.Join(argv, " "), dir, code, clean(stderr))
		}
	}
	return nil
}

func countFiles(dir string) (n int, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			n++
		}
		return err
	})
	return n, err
}

// A scene is one thing that the performance was to show.
type scene struct {
	Name string `json:"name"`
	Ok   bool   `json:"ok"`
}

// scenes notices in the events whether they were shown.
type scenes struct {
	done    []scene
	working map[messages.Address]bool
	most    int
	retried bool
	refused bool
	expired bool
	asked   map[messages.MessageID]asking
	order   []asking
}

// An asking is a request to somebody; n counts them as they were accepted.
type asking struct {
	n      int
	to     messages.Address
	urgent bool
}

func (s *scenes) notice(e messages.Event) {
	if s.working == nil {
		s.working, s.asked = map[messages.Address]bool{}, map[messages.MessageID]asking{}
	}
	switch e.Kind { //nolint:exhaustive // the rest shows nothing
	case messages.MessageAccepted:
		if m, err := read[messages.Truncated](e); err == nil && m.Type == messages.TaskRequest {
			s.asked[m.ID] = asking{len(s.asked), m.To, m.Metadata.Priority == messages.Urgent}
		}
	case messages.MessageDelivered:
		if d, err := read[messages.Delivery](e); err == nil {
			s.working[d.To] = true
			s.most = max(s.most, len(s.working))
			if a, ok := s.asked[d.Message]; ok && d.Attempt == 1 {
				s.order = append(s.order, a)
			}
		}
	case messages.MessageAcked:
		if d, err := read[messages.Delivery](e); err == nil {
			delete(s.working, d.To)
		}
	case messages.MessageRetried:
		s.retried = true
	case messages.MessageRefused:
		s.refused = true
	case messages.MessageExpired:
		s.expired = true
	}
}

// overtook reports whether an urgent request was handed over before one to the
// same reader that had been accepted earlier.
func (s *scenes) overtook() bool {
	for i, late := range s.order {
		for _, early := range s.order[:i] {
			if early.to == late.to && early.urgent && !late.urgent && early.n > late.n {
				return true
			}
		}
	}
	return false
}

func (s *scenes) mark(name string, ok bool) { s.done = append(s.done, scene{name, ok}) }

// check asks the journal for what no event shows.
func (s *scenes) check(ctx context.Context, h *house) error {
	report, err := h.store.Check(ctx)
	if err != nil {
		return err
	}
	open, err := h.store.OpenTasks(ctx)
	s.mark("parallel", s.most >= 3)
	s.mark("retry", s.retried)
	s.mark("refused", s.refused)
	s.mark("urgent", s.overtook())
	s.mark("expired", s.expired)
	s.mark("answered", len(report.Violations) == 0 && open == 0)
	return err
}

// verdict fails the demo if a scene was missing.
func (s *scenes) verdict(t messages.Task) error {
	for _, one := range s.done {
		if !one.Ok {
			return messages.Errorf(messages.CodeInternal, "the scene %q was not to be seen", one.Name)
		}
	}
	if t.Status != messages.Completed {
		return messages.Errorf(messages.CodeInternal, "the task ended %s: %s", t.Status, cmp.Or(t.Result, "no reason"))
	}
	return nil
}
