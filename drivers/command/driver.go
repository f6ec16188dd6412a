package command

import (
	"context"
	"fmt"
	"maps"
	"os"
	"time"

	"kurogo/drivers/ndjson"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// Kind is the driver's name in kurogo.toml.
const Kind = "command"

type driver struct{ Options }

// New makes the driver.
func New(o Options) messages.Driver { return driver{o} }

func (driver) Name() string { return Kind }

// Probe looks for the program and never runs it: nobody knows what that costs.
// Its version is the day of its file.
func (d driver) Probe(context.Context) (messages.Caps, error) {
	if err := d.check(); err != nil {
		return messages.Caps{}, err
	}
	path, err := d.look()
	if err != nil {
		return messages.Caps{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return messages.Caps{}, fmt.Errorf("look at %s: %w", path, err)
	}
	return messages.Caps{
		Version:      d.name() + " of " + info.ModTime().UTC().Format(time.RFC3339),
		SystemPrompt: true,
		Cost:         d.priced(),
	}, nil
}

// Start prepares a life; the process begins with its turn. Errors: unavailable
// when the program is missing, invalid when the options or the brief cannot work.
func (d driver) Start(ctx context.Context, spec messages.Spec) (messages.Session, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	path, err := d.look()
	if err != nil {
		return nil, err
	}
	args, told, err := d.argv(spec)
	if err != nil {
		return nil, err
	}
	add := map[string]string{}
	maps.Copy(add, d.Env)
	maps.Copy(add, spec.Env)
	prompt := spec.SystemPrompt
	if told {
		prompt = ""
	}
	s, err := ndjson.Once(ctx, process.Command{
		Path:  path,
		Args:  args,
		Env:   process.Environ(os.Environ(), add),
		Dir:   spec.Dir,
		Life:  spec.Life,
		Grace: spec.Grace,
		Soft:  process.Terminate,
	}, d.dialogue(prompt), spec.Raw)
	if err != nil {
		return nil, err // never a Session that holds nil
	}
	return s, nil
}

func (d driver) dialogue(prompt string) ndjson.OneShot {
	base := speaker{name: d.name(), prompt: prompt}
	if d.mapped() {
		return &mapped{speaker: base, options: d.Options, names: map[string]string{}}
	}
	return &plain{speaker: base}
}
