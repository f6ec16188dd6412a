package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"kurogo/messages"
)

// Options of New. The zero value is what the product uses.
type Options struct {
	Limits messages.Limits           // of texts; zero = the defaults
	Now    func() time.Time          // nil = the system's
	NewID  func() messages.MessageID // nil = messages.NewID
	Log    *slog.Logger              // nil = nobody listens

	Cap  time.Duration            // of one wait; 0 = 50 s, because clients drop silent calls at 60 s
	Caps map[string]time.Duration // of the clients that are known to wait longer, by their names; nil = the table of this package
	Beat time.Duration            // between two notes while nothing happens; 0 = 5 s
	Slot time.Duration            // that an agent waits, at most, for its slot when a wait is over; 0 = 5 s
}

// waits says how long clients wait that wait longer than others.
var waits = map[string]time.Duration{"claude-code": 170 * time.Second}

func (o Options) filled() Options {
	if o.Limits == (messages.Limits{}) {
		o.Limits = messages.DefaultLimits()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.NewID == nil {
		o.NewID = func() messages.MessageID { return messages.MessageID(messages.NewID()) }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Caps == nil {
		o.Caps = waits
	}
	for field, otherwise := range map[*time.Duration]time.Duration{&o.Cap: 50 * time.Second, &o.Beat: 5 * time.Second, &o.Slot: 5 * time.Second} {
		if *field <= 0 {
			*field = otherwise
		}
	}
	return o
}

// A Catalogue holds the tools. It has no state of its own and may be used by many
// goroutines at once.
type Catalogue struct {
	port    Port
	o       Options
	entries []entry
	byName  map[string]entry
}

// New makes the catalogue of what can be asked of port.
func New(port Port, o Options) *Catalogue {
	c := &Catalogue{port: port, o: o.filled(), byName: map[string]entry{}}
	for _, family := range [][]entry{
		c.groups(), c.running(), c.sequence(), c.agents(), c.waiting(), c.results(), c.roles(), c.cancelling(), c.conversation(), c.tasks(), c.evaluating(), c.tasking(), c.searching(), c.files(),
	} {
		c.entries = append(c.entries, family...)
	}
	for _, e := range c.entries {
		c.byName[e.Name] = e
	}
	return c
}

// An entry is one tool: what is told of it and what it does.
type entry struct {
	messages.Tool
	agents bool // may use it, too
	input  *schema
	faults faults
	run    func(ctx context.Context, u use, args json.RawMessage) (any, error)
}

// A use is what a tool knows of its call beside the arguments.
type use struct {
	who  messages.Caller
	note func(string) // tells a client that waits what goes on
}

// A plan is an entry before it knows the type of its arguments.
type plan struct {
	name, title string
	about       string // when to use it, what it returns, what to do next
	hints       messages.Hints
	agents      bool
	input       *schema
	answer      *schema
	faults      faults
}

// The three meanings that a call can have for a client that asks its user first.
var (
	reads   = messages.Hints{ReadOnly: true, Idempotent: true}
	ends    = messages.Hints{Destructive: true, Idempotent: true}
	unleash = messages.Hints{Destructive: true, OpenWorld: true}
)

// define makes an entry of a plan and what it does.
func define[A any](p plan, do func(ctx context.Context, u use, args A) (any, error)) entry {
	in, err := encode(p.input)
	out, err2 := encode(p.answer)
	if err := errors.Join(err, err2); err != nil {
		panic(fmt.Sprintf("encode schema of %s: %v", p.name, err)) // a table of ours
	}
	return entry{
		Tool:   messages.Tool{Name: p.name, Title: p.title, Description: p.about, Schema: in, Answer: out, Hints: &p.hints},
		agents: p.agents, input: p.input, faults: p.faults,
		run: func(ctx context.Context, u use, args json.RawMessage) (any, error) {
			var a A
			if err := json.Unmarshal(args, &a); err != nil {
				return nil, fmt.Errorf("decode arguments of %s: %w", p.name, err)
			}
			return do(ctx, u, a)
		},
	}
}

// Tools lists what the caller may use, always in the same order. What it returns
// is the caller's to keep, but not to change.
func (c *Catalogue) Tools(who messages.Caller) []messages.Tool {
	var out []messages.Tool
	for _, e := range c.entries {
		if who.Agent == "" || e.agents {
			out = append(out, e.Tool)
		}
	}
	return out
}

// Call uses a tool on behalf of who. progress, if there is one, hears what goes
// on during a long call, from this goroutine. Errors are *messages.Error with
// field and remedy, or those of ctx. A call that was broken off by ctx has
// stopped nothing but itself.
func (c *Catalogue) Call(ctx context.Context, who messages.Caller, call messages.ToolCall, progress func(note string)) (out json.RawMessage, err error) {
	defer func() {
		if r := recover(); r != nil {
			c.o.Log.Error("call", "tool", call.Name, "panic", r, "stack", string(debug.Stack()))
			out, err = nil, messages.Errorf(messages.CodeInternal, "%s: %v", call.Name, r).Try(always[messages.CodeInternal])
		}
	}()
	e, err := c.find(who, call.Name)
	if err != nil {
		return nil, err
	}
	args, err := e.input.read(call.Input)
	if err != nil {
		return nil, err
	}
	if progress == nil {
		progress = func(string) {}
	}
	answer, err := e.run(ctx, use{who, progress}, args)
	if err != nil {
		return nil, e.faults.explain(err)
	}
	if out, err = encode(answer); err != nil {
		return nil, fmt.Errorf("encode answer of %s: %w", call.Name, err)
	}
	return out, nil
}

func (c *Catalogue) find(who messages.Caller, name string) (entry, error) {
	e, ok := c.byName[name]
	switch {
	case !ok:
		known := slices.Sorted(maps.Keys(c.byName))
		none := messages.Errorf(messages.CodeNotFound, "there is no tool %q", messages.Cut(name, 128)).Try("use one of " + strings.Join(known, ", "))
		none.Field = "name"
		return e, none
	case who.Agent != "" && !e.agents:
		return e, denied("name", name+" is not for agents", "do the work yourself, or report with report_result what is in the way")
	}
	return e, nil
}
