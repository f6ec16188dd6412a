package main

import (
	"context"
	"sync"
	"time"

	"kurogo/messages"
)

// audience is how long the play waits for somebody to watch it.
const audience = 10 * time.Second

// raiseCurtain opens the stage of a demo to one browser, lets a small group of
// agents play beside the crew, and waits a little for whoever comes to watch.
func (p *program) raiseCurtain(ctx context.Context, h *house) error {
	came := make(chan struct{})
	var once sync.Once
	if err := h.serve(func(delta int) {
		if delta > 0 {
			once.Do(func() { close(came) })
		}
	}); err != nil {
		return err
	}
	if err := h.announce(ctx); err != nil {
		return err
	}
	p.invite(h.edge, "demo at")
	select {
	case <-came:
	case <-time.After(audience):
	case <-ctx.Done():
		return ctx.Err()
	}
	return p.extras(ctx, h)
}

// extras order one agent of every role that can be seen.
func (p *program) extras(ctx context.Context, h *house) error {
	group, err := askOn[messages.Group](ctx, h, messages.CreateGroup{Description: p.say("demo group")})
	if err != nil {
		return err
	}
	var orders []messages.Order
	for _, role := range h.cfg.RoleList() {
		if !role.Hidden {
			orders = append(orders, messages.Order{Role: role.ID, Prompt: p.say("demo order")})
		}
	}
	_, err = askOn[messages.Agents](ctx, h, messages.RunAgents{Group: group.ID, Stages: [][]messages.Order{orders}})
	return err
}
