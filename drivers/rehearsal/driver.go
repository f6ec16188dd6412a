package rehearsal

import (
	"context"
	"fmt"
	"os"

	"kurogo/drivers/ndjson"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// Kind is the driver's name in kurogo.toml.
const Kind = "rehearsal"

// Options says who plays.
type Options struct {
	Command []string          // argv of the player; empty: this program's own verb "play"
	Env     map[string]string // added to the allow-list
}

type driver struct{ Options }

// New makes the driver.
func New(o Options) messages.Driver { return driver{o} }

func (driver) Name() string { return Kind }

// Probe looks whether the player can be found.
func (d driver) Probe(context.Context) (messages.Caps, error) {
	argv, err := d.argv()
	if err != nil {
		return messages.Caps{}, err
	}
	if _, err := process.Look(argv[0]); err != nil {
		return messages.Caps{}, err
	}
	return messages.Caps{
		Version:      "1",
		LongLived:    true,
		Resume:       true,
		InBandTools:  true,
		Interrupt:    true,
		SystemPrompt: true,
		Schema:       true, // a script says what it says
		Rehearsal:    true,
	}, nil
}

func (d driver) argv() ([]string, error) {
	if len(d.Command) > 0 {
		return d.Command, nil
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find player: %w", err)
	}
	return []string{self, "play"}, nil
}

// Start starts a player. It is ready at its first line; one that is not ready in
// time ends with the class timeout. A life of one turn begins with its turn where
// it has no tools; with tools it must hear their answers, and leaves by itself.
func (d driver) Start(ctx context.Context, spec messages.Spec) (messages.Session, error) {
	argv, err := d.argv()
	if err != nil {
		return nil, err
	}
	c := process.Command{
		Path:  argv[0],
		Args:  argv[1:],
		Env:   process.Environ(os.Environ(), d.Env),
		Dir:   spec.Dir,
		Life:  spec.Life,
		Grace: spec.Grace,
	}
	if spec.OneShot && len(spec.Tools) == 0 {
		return session(ndjson.Once(ctx, c, solo{protocol{spec}}, spec.Raw))
	}
	return session(ndjson.Start(ctx, c, ndjson.Raw(protocol{spec}, spec.Raw), spec.StartTimeout))
}

// session makes of no session no interface either.
func session(s *ndjson.Session, err error) (messages.Session, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}
