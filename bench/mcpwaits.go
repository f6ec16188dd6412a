package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

const (
	waiting    = 100 // calls that wait, each for an agent of its own
	listings   = 200 // calls behind them, one after the other
	waitsLimit = 50 * time.Millisecond
)

// mcpWaits lists agents on a connection on which a hundred calls wait, of every
// kind of connection there is.
func (b *bench) mcpWaits(ctx context.Context) error {
	stage, err := b.mcpStage()
	if err != nil {
		return err
	}
	owner, err := stage.own(ctx)
	if err != nil {
		return err
	}
	defer owner.stop(ctx)
	speakers := []struct {
		name string
		open func() (speaker, error)
	}{
		{"stdio", func() (speaker, error) { d, _, err := onPipe(ctx, stage.command("mcp")); return d, err }},
		{"HTTP", func() (speaker, error) { return onHTTP(owner.address, owner.token), nil }},
		{"WebSocket", func() (speaker, error) { return onSocket(ctx, owner.address, owner.token) }},
	}
	var agents []string
	for _, s := range speakers {
		opened, err := s.open()
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		c, err := greet(ctx, opened)
		if err == nil && agents == nil {
			agents, err = c.hireMany(ctx)
		}
		var took quantiles
		if err == nil {
			took, err = c.behindWaits(ctx, agents)
		}
		opened.close()
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		b.table.judge(fmt.Sprintf("list_agents behind %d waits, %s", waiting, s.name), fmt.Sprintf("p95 %s, p50 %s", millis(took.at(.95)), millis(took.at(.5))),
			"p95 ≤ "+millis(waitsLimit), took.at(.95) <= waitsLimit)
	}
	return nil
}

// hireMany runs agents that do not end.
func (c *caller) hireMany(ctx context.Context) (ids []string, err error) {
	var group struct {
		ID string `json:"groupId"`
	}
	if err := c.read(ctx, "create_group", `{"description":"who waits"}`, &group); err != nil {
		return nil, err
	}
	order := strings.Repeat(`,{"role":"research","prompt":"Wait."}`, waiting)[1:]
	var run struct {
		Agents []struct {
			ID string `json:"agentId"`
		} `json:"agents"`
	}
	if err := c.read(ctx, "run_agents", `{"groupId":"`+group.ID+`","agents":[`+order+`]}`, &run); err != nil {
		return nil, err
	}
	for _, a := range run.Agents {
		ids = append(ids, a.ID)
	}
	if len(ids) != waiting {
		return nil, fmt.Errorf("%d of %d agents were taken", len(ids), waiting)
	}
	return ids, nil
}

// behindWaits times list_agents while every agent is waited for. No wait may
// end before the last list.
func (c *caller) behindWaits(ctx context.Context, agents []string) (quantiles, error) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, len(agents))
	var waits, sent sync.WaitGroup
	defer waits.Wait()
	defer cancel()
	for voice, id := range agents {
		sent.Add(1)
		gone := context.WithValue(ctx, onSent{}, sync.OnceFunc(sent.Done))
		waits.Go(func() {
			answer, err := c.use(gone, voice+1, "wait_agent", `{"agentIds":["`+id+`"]}`)
			ended <- errors.Join(fmt.Errorf("a wait has ended: %.200s", answer), err)
		})
	}
	if err := allSent(&sent, ended); err != nil {
		return nil, err
	}
	_, took, err := volley(1, listings, func(int, int) error {
		select {
		case err := <-ended:
			return err
		default:
		}
		var list struct{ Total int }
		err := c.read(ctx, "list_agents", "{}", &list)
		if err == nil && list.Total != len(agents) {
			err = fmt.Errorf("%d agents are listed", list.Total)
		}
		return err
	})
	return quantilesOf(took), err
}

// allSent waits until every wait has left, or one has failed.
func allSent(waits *sync.WaitGroup, failed <-chan error) error {
	all := make(chan struct{})
	go func() { waits.Wait(); close(all) }()
	select {
	case <-all:
		return nil
	case err := <-failed:
		return err
	}
}
