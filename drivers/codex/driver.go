package codex

import (
	"context"
	"fmt"

	"kurogo/drivers/inquire"
	"kurogo/drivers/ndjson"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// Kind is the driver's name in kurogo.toml.
const Kind = "codex"

type driver struct {
	Options
	found     inquire.Finding[features]
	catalogue catalogue
	turns     chan struct{} // who starts with the user's own configuration
}

// New makes the driver.
func New(o Options) messages.Driver { return &driver{Options: o, turns: make(chan struct{}, 1)} }

func (*driver) Name() string { return Kind }

// Probe asks the CLI for its version, its options and its models; no model is
// called. A version without an app-server can only have lives of one turn.
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
		LongLived:    f.server,
		Resume:       f.forks,
		InBandTools:  f.tools,
		Interrupt:    f.server,
		SystemPrompt: true,
		MCP:          true,
		Schema:       f.schema,
		Models:       d.models(ctx, f),
	}, nil
}

// Start starts a codex. A life of one turn has no tools in-band.
func (d *driver) Start(ctx context.Context, spec messages.Spec) (messages.Session, error) {
	o := d.with(spec.Env)
	if err := o.check(); err != nil {
		return nil, err
	}
	f, err := d.features(ctx)
	if err != nil {
		return nil, err
	}
	if err := f.checkForm(spec); err != nil {
		return nil, err
	}
	if spec.ReadOnly {
		o.Permission = Deny
	}
	env, err := o.environ(spec)
	if err != nil {
		return nil, err
	}
	o.taken = spec.MCP.URL != "" && o.shared() && o.namesake(ctx, env, spec.Dir)
	c := process.Command{Path: d.command(), Env: env, Dir: spec.Dir, Life: spec.Life, Grace: spec.Grace}
	if spec.OneShot || !f.server {
		return o.once(ctx, c, spec)
	}
	c.Args = o.server(spec)
	return d.begin(ctx, c, o, spec)
}

// once prepares a life of one turn.
func (o Options) once(ctx context.Context, c process.Command, spec messages.Spec) (messages.Session, error) {
	r, err := newRun(spec)
	if err != nil {
		return nil, err
	}
	if c.Args, err = o.exec(spec); err != nil {
		return nil, err
	}
	c.Soft = process.Interrupt // SIGTERM would orphan its shells
	s, err := ndjson.Once(ctx, c, r, spec.Raw)
	if err != nil {
		return nil, fmt.Errorf("start codex exec: %w", err)
	}
	return s, nil
}

// begin starts a life of many turns. Those that share the user's configuration
// come one after another: they all write the same files when they start.
func (d *driver) begin(ctx context.Context, c process.Command, o Options, spec messages.Spec) (messages.Session, error) {
	if o.shared() {
		select {
		case d.turns <- struct{}{}:
		case <-ctx.Done():
			return nil, fmt.Errorf("start %s: %w", c.Path, ctx.Err())
		}
	}
	s, err := ndjson.Start(ctx, c, ndjson.Raw(newDialogue(spec, o.sandbox()), spec.Raw), spec.StartTimeout)
	if !o.shared() {
		return session(s, err)
	}
	if err != nil {
		<-d.turns
		return nil, err
	}
	go func() {
		<-s.Begun()
		<-d.turns
	}()
	return s, nil
}

// session makes of no session no interface either.
func session(s *ndjson.Session, err error) (messages.Session, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}
