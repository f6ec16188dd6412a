package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"kurogo/actors"
	"kurogo/drivers/claude"
	"kurogo/drivers/modeltest"
	"kurogo/drivers/process"
	"kurogo/messages"
	"kurogo/stores/sqlite"
)

const (
	warmRounds = 9
	warmTurns  = 10 // of each of the two in one round
	warmLimit  = 5 * time.Millisecond
	warmWait   = 2 * time.Minute
)

// warm is a turn of the real Claude Code before a scripted model, in a session
// that is warm: through the whole house, from one durable end of a turn to the
// next; and bare, with the same arguments in the same environment, from the line
// that begins a turn to the one that ends it.
func (b *bench) warm(ctx context.Context) error {
	const figure = "turn of a warm claude beyond the bare one"
	path, err := findClaude()
	if err != nil {
		b.table.fact(figure, "skipped: "+err.Error())
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, warmWait)
	defer cancel()
	stage := &theatre{}
	defer stage.close()
	model := modeltest.New(stage)
	ours, err := b.houseOfClaude(ctx, path, model.URL)
	if err != nil {
		return err
	}
	defer ours.close(context.WithoutCancel(ctx))
	if _, err := ours.turns(ctx, 2); err != nil { // now it is warm
		return err
	}
	bare, err := b.bareClaude(ctx, ours)
	if err != nil {
		b.table.fact(figure, "not measured: "+err.Error())
		return nil
	}
	defer bare.process.Stop(ctx)
	if _, err := bare.turns(ctx, 2); err != nil {
		return err
	}
	var housed, alone []time.Duration
	for range warmRounds {
		took, err := bare.turns(ctx, warmTurns)
		if err != nil {
			return err
		}
		alone = append(alone, took...)
		if took, err = ours.turns(ctx, warmTurns); err != nil {
			return err
		}
		housed = append(housed, took...)
	}
	more := median(housed) - median(alone)
	b.table.judge(figure, fmt.Sprintf("%s (%s beside %s)", millis(more), millis(median(housed)), millis(median(alone))), "≤ "+millis(warmLimit), more <= warmLimit)
	return stage.fault()
}

// A theatre is what a scripted model needs of a test.
type theatre struct {
	after []func()
	mu    sync.Mutex
	wrong []error
}

// Helper implements modeltest.T.
func (*theatre) Helper() {}

// Cleanup implements modeltest.T.
func (t *theatre) Cleanup(f func()) { t.after = append(t.after, f) }

// Errorf implements modeltest.T.
func (t *theatre) Errorf(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wrong = append(t.wrong, fmt.Errorf(format, args...))
}

func (t *theatre) fault() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return errors.Join(t.wrong...)
}

func (t *theatre) close() {
	for _, f := range t.after {
		f()
	}
}

// A manned house has one persona that a real claude plays.
type manned struct {
	*house
	name messages.Address
	home string
	pids chan int
	ends chan time.Time // of turns, durable
}

func (b *bench) houseOfClaude(ctx context.Context, path, url string) (*manned, error) {
	dir, err := b.subdir("warm")
	if err != nil {
		return nil, err
	}
	h, err := openStore(ctx, dir)
	if err != nil {
		return nil, err
	}
	m := &manned{house: h, name: names(1)[0], home: filepath.Join(dir, "ours"), pids: make(chan int, 1), ends: make(chan time.Time, warmTurns)}
	if err := h.enlist(ctx, names(1)); err != nil {
		return nil, err
	}
	driver := claude.New(claude.Options{Command: path, Config: claude.Isolated, Env: map[string]string{
		"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "test-key", "HOME": dir,
	}})
	of := hierarchy(names(1))
	cast := h.cast(of, m.name, counted{driver, m.pids})
	cast.Brief.Home, cast.Brief.Dir, cast.Brief.SystemPrompt = m.home, dir, "You are an actor."
	cast.Journal = &bell{h.store, m.ends}
	return m, h.tree.Start(ctx, h.store, []actors.Cast{cast})
}

// turns has n requests answered one after the other and returns the times from
// one end to the next.
func (m *manned) turns(ctx context.Context, n int) (took []time.Duration, err error) {
	for range n {
		if err := m.submit(ctx, m.name); err != nil {
			return nil, err
		}
	}
	var before time.Time
	for i := range n {
		select {
		case at := <-m.ends:
			if i > 0 {
				took = append(took, at.Sub(before))
			}
			before = at
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for turn %d of %d: %w", i+1, n, ctx.Err())
		}
	}
	return took, nil
}

// A bell is a journal that rings when the end of a turn is durable.
type bell struct {
	*sqlite.Store
	ends chan<- time.Time
}

// Commit implements actors.Journal.
func (b *bell) Commit(ctx context.Context, c messages.Change) (messages.Outcome, error) {
	out, err := b.Store.Commit(ctx, c)
	if _, ok := c.(messages.EndTurn); ok && err == nil {
		b.ends <- time.Now()
	}
	return out, err
}

// A counted driver tells the process of each session.
type counted struct {
	messages.Driver
	pids chan<- int
}

func (d counted) Start(ctx context.Context, s messages.Spec) (messages.Session, error) {
	session, err := d.Driver.Start(ctx, s)
	if err == nil {
		d.pids <- session.Pid()
	}
	return session, err
}

// A bareLife is the CLI with nothing of ours around but a loop.
type bareLife struct {
	process *process.Process
	hear    func() (process.Line, bool)
}

// bareClaude starts what the house has started, with a home of its own.
func (b *bench) bareClaude(ctx context.Context, like *manned) (*bareLife, error) {
	argv, env, err := commandOf(<-like.pids)
	if err != nil {
		return nil, err
	}
	dir, err := b.subdir("bare")
	if err != nil {
		return nil, err
	}
	for i := range env {
		env[i] = strings.ReplaceAll(env[i], like.home, dir)
	}
	p, err := process.Start(ctx, process.Command{Path: argv[0], Args: argv[1:], Env: env, Dir: dir})
	if err != nil {
		return nil, err
	}
	lines := make(chan process.Line, 64)
	go func() {
		defer close(lines)
		for line := range p.Lines() {
			lines <- line
		}
	}()
	hear := func() (process.Line, bool) { line, ok := <-lines; return line, ok }
	l := &bareLife{p, hear}
	return l, l.say(ctx, map[string]any{"type": "control_request", "request_id": "1", "request": map[string]any{"subtype": "initialize", "systemPrompt": "You are an actor."}})
}

func (l *bareLife) say(ctx context.Context, line any) error {
	b, err := json.Marshal(line)
	if err != nil {
		return err
	}
	return l.process.Write(ctx, b)
}

// turns takes n turns and returns how long each took but the first, as the house
// does.
func (l *bareLife) turns(ctx context.Context, n int) (took []time.Duration, err error) {
	for i := range n {
		began := time.Now()
		if err := l.say(ctx, map[string]any{
			"type": "user", "uuid": messages.NewID(), "session_id": "", "parent_tool_use_id": nil, "message": map[string]string{"role": "user", "content": body},
		}); err != nil {
			return nil, err
		}
		for {
			line, ok := l.hear()
			if !ok {
				return nil, errors.New("the bare claude has left")
			}
			var kind struct{ Type string }
			if err := json.Unmarshal(line.Text, &kind); err != nil {
				return nil, err
			}
			if kind.Type == "result" {
				break
			}
		}
		if i > 0 {
			took = append(took, time.Since(began))
		}
	}
	return took, nil
}
