package claude

import (
	"context"
	"fmt"
	"strings"

	"kurogo/drivers/inquire"
	"kurogo/drivers/ndjson"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// Kind is the driver's name in kurogo.toml.
const Kind = "claude"

type driver struct {
	Options
	found inquire.Finding[features]
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
		HardCap:      f.cap,
		MCP:          true,
		Schema:       f.schema,
	}, nil
}

// Start starts a claude. A session that it should go on with may be gone, or its
// border may be, with a directory that was removed or a disk that was full: the
// life then begins with what is left, and with a warning. A life of one turn
// fails its turn instead, because its process begins with it.
func (d *driver) Start(ctx context.Context, spec messages.Spec) (messages.Session, error) {
	o := d.with(spec.Env)
	if err := o.check(); err != nil {
		return nil, err
	}
	if len(spec.Tools) > 0 && spec.MCP.URL != "" {
		return nil, messages.Invalid("mcp", "our tools have one name: they are offered in-band or by MCP, not both")
	}
	f, err := d.features(ctx)
	if err != nil {
		return nil, err
	}
	if spec.ReadOnly {
		o.Permission = Deny
	}
	if spec.OneShot {
		return d.once(ctx, o, f, spec)
	}
	loss := ""
	for {
		s, err := d.begin(ctx, o, f, spec, loss)
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

// launch is what a life is started with.
func (o Options) launch(f features, spec messages.Spec) (process.Command, error) {
	env, err := o.environ(spec.Home)
	if err != nil {
		return process.Command{}, err
	}
	args, err := o.argv(f, spec)
	return process.Command{Path: o.command(), Args: args, Env: env, Dir: spec.Dir, Life: spec.Life, Grace: spec.Grace}, err
}

// begin starts one process.
func (d *driver) begin(ctx context.Context, o Options, f features, spec messages.Spec, loss string) (*ndjson.Session, error) {
	c, err := o.launch(f, spec)
	if err != nil {
		return nil, err
	}
	begun, err := d.wait(ctx, o)
	if err != nil {
		return nil, err
	}
	s, err := ndjson.Start(ctx, c, ndjson.Raw(newDialogue(spec, o.Permission, loss), spec.Raw), spec.StartTimeout)
	if err != nil {
		begun()
		return nil, err
	}
	go func() {
		<-s.Begun()
		begun()
	}()
	return s, nil
}

// wait lets lives that share the user's configuration come one after another:
// they all write the same file when they start. Who has waited says when its own
// start is over.
func (d *driver) wait(ctx context.Context, o Options) (begun func(), err error) {
	if !o.shared() {
		return func() {}, nil
	}
	select {
	case d.turns <- struct{}{}:
		return func() { <-d.turns }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("start %s: %w", o.command(), ctx.Err())
	}
}
