package cursor

import (
	"context"

	"kurogo/drivers/ndjson"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// Kind is the driver's name in kurogo.toml.
const Kind = "cursor"

type driver struct{ Options }

// New makes the driver.
func New(o Options) messages.Driver { return driver{o} }

func (driver) Name() string { return Kind }

// Probe asks the CLI for its version and its models; no model is called.
func (d driver) Probe(ctx context.Context) (messages.Caps, error) {
	if err := d.check(); err != nil {
		return messages.Caps{}, err
	}
	path, err := d.command()
	if err != nil {
		return messages.Caps{}, err
	}
	env, done, err := d.asking()
	if err != nil {
		return messages.Caps{}, err
	}
	defer done()
	version, err := d.version(ctx, path, env)
	if err != nil {
		return messages.Caps{}, err
	}
	return messages.Caps{
		Version:      version,
		SystemPrompt: true,
		MCP:          !d.shared(),
		Models:       d.models(ctx, path, env),
	}, nil
}

// Start prepares a life; the process begins with its turn. Errors: unavailable
// when the command or the key is missing, invalid when the options or the
// directories cannot work.
func (d driver) Start(ctx context.Context, spec messages.Spec) (messages.Session, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	if spec.ReadOnly {
		d.Permission = Deny
	}
	path, err := d.command()
	if err != nil {
		return nil, err
	}
	if err := d.login(spec); err != nil {
		return nil, err
	}
	env, err := d.environ(spec)
	if err != nil {
		return nil, err
	}
	s, err := ndjson.Once(ctx, process.Command{
		Path:  path,
		Args:  d.argv(spec),
		Env:   env,
		Dir:   spec.Dir,
		Life:  spec.Life,
		Grace: spec.Grace,
		Soft:  process.Terminate,
	}, newDialogue(d.Options, spec), spec.Raw)
	if err != nil {
		return nil, err // never a Session that holds nil
	}
	return s, nil
}
