package hermes

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"

	"kurogo/messages"
)

// Kind is the driver's name in kurogo.toml.
const Kind = "hermes"

type driver struct {
	Options
	manners *manners
}

// New makes the driver.
func New(o Options) messages.Driver {
	o.Limits = o.filled()
	return &driver{o, &manners{of: map[string]quirks{}}}
}

func (*driver) Name() string { return Kind }

// Start begins a conversation. Errors: unavailable when nobody is at the endpoint,
// invalid when the options or the brief cannot work.
func (d *driver) Start(ctx context.Context, spec messages.Spec) (messages.Session, error) {
	if spec.Model = cmp.Or(spec.Model, d.Model); spec.Model == "" {
		return nil, messages.Invalid("model", "a model's service has many, and none is named").Try("name one")
	}
	if info, err := os.Stat(cmp.Or(spec.Dir, ".")); err != nil || !info.IsDir() {
		return nil, messages.Invalid("dir", "%s is no directory", spec.Dir)
	}
	if spec.ReadOnly {
		spec.Tools = slices.DeleteFunc(slices.Clone(spec.Tools), func(t messages.Tool) bool { return t.Hints == nil || !t.Hints.ReadOnly })
	}
	form, err := readSchema(spec.Schema)
	if err != nil {
		return nil, err
	}
	c, err := d.client(spec.Env)
	if err != nil {
		return nil, err
	}
	if err := c.reach(ctx); err != nil {
		return nil, unavailable(ctx, c, err)
	}
	memory, loss := recall(spec)
	return begin(d, c, spec, form, memory, loss), nil //nolint:contextcheck // the life outlives its start
}

func (d *driver) client(env map[string]string) (*client, error) {
	p, err := d.place()
	if err != nil {
		return nil, err
	}
	name, key := d.key(p, env)
	return newClient(p, name, key), nil
}

// unavailable is a failure before there is a life.
func unavailable(ctx context.Context, c *client, err error) error {
	if ctx.Err() != nil {
		return ctx.Err() //nolint:wrapcheck // who called knows what was begun
	}
	var f *failure
	if errors.As(err, &f) && f.remedy != "" {
		return messages.Errorf(messages.CodeUnavailable, "%s", f.text).Try(f.remedy)
	}
	return messages.Errorf(messages.CodeUnavailable, "%v", err).Try("see whether " + c.base + " is the right endpoint")
}
