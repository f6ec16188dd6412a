package claude

import (
	"context"
	"fmt"
	"strings"

	"kurogo/drivers/ndjson"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// Kind is the driver's name in kurogo.toml.
const Kind = "claude"

type driver struct {
	Options
	look  look
	turns chan struct{} // who starts with the user's own configuration
}

// New makes the driver.
func New(o Options) messages.Driver { return &driver{Options: o, turns: make(chan struct{}, 1)} }

func (*driver) Name() string { return Kind }

// Probe asks the CLI for its version and its options; no model is called.
func (d *driver) Probe(ctx context.Context) (messages.Caps, error) {
	if err := d.check(); err != nil {
		return messages.Caps{}, err
	}
	f, err := d.features(ctx)
	if err != nil {
		return messages.Caps{}, err
	}
	return messages.Caps{
		Version:      f.version,
		LongLived:    true,
		Resume:       true,
		InBandTools:  true,
		Interrupt:    true,
		SystemPrompt: true,
		Cost:         true,
	}, nil
}

// Start starts a claude. A session that it should go on with may be gone, or its
// border may be, with a directory that was removed or a disk that was full: the
// life then begins with what is left, and with a warning.
func (d *driver) Start(ctx context.Context, spec messages.Spec) (messages.Session, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	f, err := d.features(ctx)
	if err != nil {
		return nil, err
	}
	loss := ""
	for {
		s, err := d.begin(ctx, f, spec, loss)
		if err != nil {
			return nil, err
		}
		if spec.Session == "" {
			return s, nil
		}
		select {
		case <-s.Begun():
		case <-ctx.Done():
			s.Stop(ctx)
			return nil, fmt.Errorf("resume session %s: %w", spec.Session, ctx.Err())
		}
		exit, over := s.Over()
		switch {
		case over && spec.Border != "" && strings.Contains(exit.Stderr, noMessage):
			loss = "the session " + spec.Session + " does not reach to its border " + spec.Border + ": it goes on where it ends"
			spec.Border = ""
		case over && strings.Contains(exit.Stderr, noSession):
			loss = "the session " + spec.Session + " is gone: a new one begins, without memory"
			spec.Session, spec.Border = "", ""
		default:
			return s, nil
		}
	}
}

// begin starts one process. Those that share the user's configuration come one
// after another: they all write the same file when they start.
func (d *driver) begin(ctx context.Context, f features, spec messages.Spec, loss string) (*ndjson.Session, error) {
	env, err := d.environ(spec.Home)
	if err != nil {
		return nil, err
	}
	if d.shared() {
		select {
		case d.turns <- struct{}{}:
		case <-ctx.Done():
			return nil, fmt.Errorf("start %s: %w", d.command(), ctx.Err())
		}
	}
	s, err := ndjson.Start(ctx, process.Command{
		Path:  d.command(),
		Args:  d.argv(f, spec),
		Env:   env,
		Dir:   spec.Dir,
		Life:  spec.Life,
		Grace: spec.Grace,
	}, newDialogue(spec, d.Permission, loss), spec.StartTimeout)
	if d.shared() {
		if err != nil {
			<-d.turns
		} else {
			go func() {
				<-s.Begun()
				<-d.turns
			}()
		}
	}
	return s, err
}
