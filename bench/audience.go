package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"kurogo/messages"
	"kurogo/stores/sqlite"
	"kurogo/transport/api"
	"kurogo/transport/gate"
	"kurogo/transport/live"
	"kurogo/transport/pages"
	"kurogo/transport/tools"
	"kurogo/ui"
)

// audienceVerb serves the real dashboard (pages, socket, gate) over a real journal
// in which a crowd of agents is at work, so that a browser can be measured without
// a thousand processes beside it. It tells its address as one line of JSON, begins
// with the first line that it hears, and tells at the end what there was.
const audienceVerb = "audience"

const (
	crowdAgents = 1000
	crowdGroup  = 25 // agents of one group
	crowdRate   = 500
	crowdTick   = 20 * time.Millisecond
	turnover    = 25 // of so many updates one is an agent that ends, and another that begins
)

// A crowd is a journal as the edge sees it, with everybody at work.
type crowd struct {
	*sqlite.Store
	groups []messages.GroupID
	agents []at
}

// at is an agent in its turn.
type at struct {
	messages.Agent
	fence messages.Fence
	rows  []messages.Row
	calls int
}

func audience(args []string, in io.Reader, out io.Writer) error {
	seconds := 60
	if len(args) > 0 {
		if _, err := fmt.Sscan(args[0], &seconds); err != nil {
			return fmt.Errorf("read seconds: %w", err)
		}
	}
	dir, err := workDir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	limits := messages.DefaultLimits()
	limits.QueuedAgents = 10 * crowdAgents
	store, err := sqlite.Open(ctx, filepath.Join(dir, "kurogo.db"), sqlite.Options{Limits: limits})
	if err != nil {
		return err
	}
	defer store.Close()
	c := &crowd{Store: store}
	if err := c.gather(ctx); err != nil {
		return err
	}
	address, stop, err := c.serve(ctx)
	if err != nil {
		return err
	}
	defer stop()
	tell := json.NewEncoder(out)
	if err := tell.Encode(map[string]any{"address": address, "agents": len(c.agents)}); err != nil {
		return err
	}
	heard := bufio.NewReader(in)
	if _, err := heard.ReadString('\n'); err != nil {
		return err // whoever started us has left
	}
	began, before := time.Now(), store.Last()
	if err := c.act(ctx, time.Duration(seconds)*time.Second); err != nil {
		return err
	}
	took := time.Since(began).Seconds()
	if err := tell.Encode(map[string]any{"events": store.Last() - before, "seconds": took}); err != nil {
		return err
	}
	_, _ = heard.ReadString('\n') // the house stands until the browser has looked
	return nil
}

// gather orders everybody and gives each its turn.
func (c *crowd) gather(ctx context.Context) error {
	for len(c.agents) < crowdAgents {
		out, err := c.Commit(ctx, messages.OpenGroup{Description: fmt.Sprintf("Scene %d of the crowd", len(c.groups)+1), By: messages.User, Now: time.Now()})
		if err != nil {
			return err
		}
		c.groups = append(c.groups, out.Group.ID)
		if err := c.order(ctx, out.Group.ID, crowdGroup); err != nil {
			return err
		}
	}
	return nil
}

// order lets n agents begin in a group.
func (c *crowd) order(ctx context.Context, group messages.GroupID, n int) error {
	roles := []string{"impl-code", "code-review", "text-review", "impl-test", "research"}
	o := messages.OrderAgents{Group: group, By: messages.User, Now: time.Now(), Stages: make([][]messages.Draft, 1)}
	for i := range n {
		o.Stages[0] = append(o.Stages[0], messages.Draft{
			Role: roles[(len(c.agents)+i)%len(roles)], Driver: "rehearsal", Model: "m", Prompt: "Stand in the crowd and do what crowds do.",
			Dir: "/", Timeout: time.Hour, Isolation: messages.IsolationNone, Rehearsal: true,
		})
	}
	out, err := c.Commit(ctx, o)
	if err != nil {
		return err
	}
	for _, a := range out.Agents {
		who := a.ID.Address()
		rose, err := c.Commit(ctx, messages.Reclaim{Persona: who, Now: time.Now()})
		if err != nil {
			return err
		}
		fence := messages.Fence{Persona: who, Epoch: rose.Epoch}
		turn, err := c.Commit(ctx, messages.Lease{Fence: fence, Now: time.Now()})
		if err != nil || turn.Turn == nil {
			return fmt.Errorf("give %s its turn: %w", a.ID, err)
		}
		c.agents = append(c.agents, at{a, fence, turn.Turn.Rows, 0})
	}
	return nil
}

// act lets crowdRate events a second happen: most are an agent that uses a tool
// and says something, some are one that ends and another that begins.
func (c *crowd) act(ctx context.Context, length time.Duration) error {
	began, first, next := time.Now(), c.Last(), 0
	tick := time.NewTicker(crowdTick)
	defer tick.Stop()
	for now := range tick.C {
		if now.Sub(began) > length {
			return nil
		}
		due := int64(now.Sub(began).Seconds() * crowdRate)
		for n := 0; c.Last()-first < due && n < crowdRate; n++ {
			next++
			if err := c.step(ctx, next); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *crowd) step(ctx context.Context, n int) error {
	i := n * 7 % len(c.agents)
	a := &c.agents[i]
	now := time.Now()
	if n%turnover == 0 {
		if _, err := c.Commit(ctx, messages.EndTurn{Fence: a.fence, Rows: a.rows, Text: "The scene is over.", Now: now}); err != nil {
			return err
		}
		group := a.Group
		c.agents[i] = c.agents[len(c.agents)-1]
		c.agents = c.agents[:len(c.agents)-1]
		return c.order(ctx, group, 1)
	}
	a.calls++
	_, err := c.Commit(ctx, messages.KeepRun{Agent: a.ID, Now: now, Run: messages.Run{
		ToolCalls: a.calls, Last: fmt.Sprintf("Step %d: I look at file %d and think about what it means for the scene.", a.calls, n),
	}})
	return err
}

// serve opens the edge on the loopback. address lets one browser in.
func (c *crowd) serve(ctx context.Context) (address string, stop func(), err error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("listen: %w", err)
	}
	mux := http.NewServeMux()
	g, err := gate.New(gate.Options{Ports: []int{l.Addr().(*net.TCPAddr).Port}, Token: messages.NewID() + messages.NewID(), Page: func(r *http.Request) bool {
		_, pattern := mux.Handler(r)
		return pattern == "/"
	}})
	if err != nil {
		return "", nil, err
	}
	dashboard, err := pages.New(ui.Dist)
	if err != nil {
		return "", nil, err
	}
	catalogue := tools.New(c, tools.Options{})
	socket := live.New(c, catalogue, live.Options{})
	mux.Handle("/api/", api.New(catalogue, c, api.Options{Caller: func(r *http.Request) messages.Caller { return gate.Caller(r.Context()) }}))
	mux.Handle("/ws", socket)
	mux.Handle("/", dashboard)
	server := g.Server(mux)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(l) // it ends when we close it
	}()
	return "http://" + l.Addr().String() + g.Login(), func() {
		socket.Close()
		_ = server.Close()
		<-done
	}, nil
}

// Ask answers what a page asks of a house; there is no crew and no role in this one.
func (c *crowd) Ask(ctx context.Context, m messages.Message) (messages.Message, error) {
	switch m := m.(type) {
	case messages.GetStatus:
		return messages.Status{Version: "bench", Store: c.ID(), LastEvent: c.Last(), Rehearsal: true, StartedAt: time.Now()}, nil
	case messages.ListGroups:
		return c.Groups(ctx, m)
	case messages.ListAgents:
		return c.Agents(ctx, m)
	case messages.ListRoles:
		return messages.Roles{}, nil
	case messages.GetCrew:
		return messages.Crew{}, nil
	case messages.ListTasks:
		tasks, err := c.Tasks(ctx, m)
		return messages.Tasks{Tasks: tasks}, err
	case messages.ListApprovals:
		return messages.Approvals{}, nil
	}
	return nil, messages.Invalid("kind", "%s cannot be asked of a crowd", messages.KindOf(m)).Try("look at the stage")
}

// Watch yields the journal's events.
func (c *crowd) Watch(ctx context.Context, t messages.Topic, since int64) iter.Seq2[messages.Event, error] {
	return c.Store.Watch(ctx, t, since)
}
