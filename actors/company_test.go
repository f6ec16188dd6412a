package actors_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"kurogo/actors"
	"kurogo/messages"
)

// A troupe is a stage with agents: what an agent is asked is what it does.
type troupe struct {
	*stage
	company actors.Company
	desk    *actors.AgentDesk
	rooms   *rooms
	streams *streams
	passes  *passes
	player  *agent
	group   messages.GroupID
}

// A cast list is what may differ between two troupes.
type castList struct {
	working int
	limits  messages.Limits
	reserve int64
	health  actors.HealthMode
	probe   func(context.Context) (messages.Caps, error)
	veil    func(actors.Journal) actors.Journal
	prompt  string // of the reviewer's health check
	toolbox actors.Toolbox
	library actors.Library
}

var troupeRoles = map[string]messages.Role{
	"code":   {ID: "code", Name: "Coder", Driver: "fake", Model: "m1", SystemPrompt: "You write code.", HealthPrompt: "say OK"},
	"review": {ID: "review", Name: "Reviewer", Driver: "fake", HealthPrompt: "say OK", Tools: []string{"Read"}},
	"cli":    {ID: "cli", Name: "Writes by itself", Driver: "cli", Hidden: true},
	"tree":   {ID: "tree", Name: "Isolated", Driver: "fake", Isolation: messages.IsolationWorktree},
}

func (l castList) set(t *testing.T) *troupe {
	t.Helper()
	if l.working == 0 {
		l.working = 10
	}
	if l.limits.QueuedAgents == 0 {
		l.limits = limits
		l.limits.QueuedAgents = 1000
	}
	if l.health == "" {
		l.health = actors.HealthOff
	}
	player := &agent{scripted: true}
	if l.probe == nil {
		l.probe = player.Probe
	}
	s := scenery{veil: l.veil, limits: l.limits}.set(t)
	log := slog.New(slog.DiscardHandler)
	if testing.Verbose() {
		log = slog.New(slog.NewTextHandler(t.Output(), nil))
	}
	tr := &troupe{stage: s, player: player, rooms: &rooms{busy: map[messages.AgentID]bool{}}, streams: &streams{said: map[messages.AgentID]string{}}, passes: &passes{valid: map[string]bool{}}}
	roles := maps.Clone(troupeRoles)
	if l.prompt != "" {
		review := roles["review"]
		review.HealthPrompt = l.prompt
		roles["review"] = review
	}
	company, err := s.tree.StartCompany(actors.Company{
		Roles: roles, Limits: l.limits, Timeouts: timeouts, Backoff: backoff, Language: "en", Store: "s", Working: l.working, Starting: 4,
		Journal: s.seen, Archive: s.store, Clock: actors.SystemClock{}, Log: log,
		Crafts: map[string]actors.Craft{
			"fake": {Life: actors.Lives(player, log), Probe: l.probe, Reserve: func(string) int64 { return l.reserve }, InBand: true, Keys: []string{"FAKE_KEY"}},
			"cli":  {Life: actors.Lives(player, log), Probe: l.probe},
		},
		Toolbox: l.toolbox, Library: l.library,
		Rooms: tr.rooms, Streams: tr.streams, Passes: tr.passes, Keys: actors.NewKeys(), MCP: func() string { return "" }, Health: l.health, Rehearsed: func(string) bool { return true },
	})
	if err != nil {
		t.Fatal(err)
	}
	tr.company = company
	people := company
	people.Journal = s.store
	tr.desk = &actors.AgentDesk{
		Company: people, DefaultTimeout: 5 * time.Minute, Root: s.tree.Root(),
		Place: func(dir string) (string, error) {
			if dir != "" && dir != "/work" {
				return "", messages.Invalid("dir", "%s is no directory", dir).Try("make it")
			}
			return "/work", nil
		},
		Read: func(context.Context, messages.AgentID, string, int64, int) (messages.StreamChunk, error) {
			return messages.StreamChunk{}, nil
		},
	}
	tr.group = must[messages.Group](tr, messages.CreateGroup{Description: "a feature"}).ID
	return tr
}

// An asked is a desk of any kind.
type asked interface {
	Ask(ctx context.Context, m messages.Message) (answer messages.Message, ok bool, err error)
}

// answered asks and wants an answer of the type.
func answered[M messages.Message](tb testing.TB, desk asked, m messages.Message) M {
	tb.Helper()
	answer, ok, err := desk.Ask(context.Background(), m)
	if err != nil || !ok {
		tb.Fatalf("%T: %v, %t", m, err, ok)
	}
	word, right := answer.(M)
	if !right {
		tb.Fatalf("%T answers %T", m, answer)
	}
	return word
}

// must asks the troupe's desk.
func must[M messages.Message](tr *troupe, m messages.Message) M {
	tr.t.Helper()
	return answered[M](tr.t, tr.desk, m)
}

// refuse asks and wants a refusal that names the field and a remedy.
func (tr *troupe) refuse(m messages.Message, code messages.Code, field string) *messages.Error {
	tr.t.Helper()
	_, ok, err := tr.desk.Ask(context.Background(), m)
	var e *messages.Error
	if !ok || !errors.As(err, &e) || e.Code != code || e.Field != field || e.Remedy == "" {
		tr.t.Errorf("%+v: %v, want %s for %q with a remedy", m, err, code, field)
		return &messages.Error{}
	}
	return e
}

// order has prompts run, each "role: steps"; stages are slices of them.
func (tr *troupe) order(stages ...[]string) []messages.Agent {
	tr.t.Helper()
	m := messages.RunAgents{Group: tr.group}
	for _, prompts := range stages {
		var orders []messages.Order
		for _, p := range prompts {
			role, prompt, _ := strings.Cut(p, ": ")
			orders = append(orders, messages.Order{Role: role, Prompt: prompt})
		}
		m.Stages = append(m.Stages, orders)
	}
	return must[messages.Agents](tr, m).Agents
}

func (tr *troupe) detail(id messages.AgentID) messages.AgentDetail {
	tr.t.Helper()
	return must[messages.AgentDetail](tr, messages.GetAgent{Agent: id})
}

// is wants an agent to be somewhere.
func (tr *troupe) is(id messages.AgentID, want messages.AgentStatus) messages.AgentDetail {
	tr.t.Helper()
	a := tr.detail(id)
	if a.Status != want {
		tr.t.Errorf("%s is %s (%s, waits %s), want %s", id, a.Status, a.Run.Error, a.Waiting, want)
	}
	return a
}

func (tr *troupe) running() int {
	tr.t.Helper()
	return must[messages.Agents](tr, messages.ListAgents{Status: "running"}).Total
}

// close ends the troupe and looks whether anything was left behind.
func (tr *troupe) close() {
	tr.t.Helper()
	for _, a := range must[messages.Agents](tr, messages.ListAgents{}).Agents {
		if a.Outcome != "" && a.Outcome != messages.AgentLost && tr.rooms.has(a.ID) {
			tr.t.Errorf("%s is %s and still has a room", a.ID, a.Status)
		}
	}
	tr.stage.close()
	if left := maps.Collect(maps.All(tr.passes.valid)); len(left) > 0 {
		tr.t.Errorf("passes that are still valid: %v", left)
	}
}

type rooms struct {
	mu   sync.Mutex
	busy map[messages.AgentID]bool
	most int
	fail error
}

func (r *rooms) Enter(_ context.Context, a messages.Agent) (string, string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fail != nil {
		return "", "", r.fail
	}
	if r.busy[a.ID] {
		return "", "", fmt.Errorf("%s has a room already", a.ID)
	}
	r.busy[a.ID] = true
	r.most = max(r.most, len(r.busy))
	return a.Dir, "/home/" + string(a.ID), nil
}

func (r *rooms) has(id messages.AgentID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.busy[id]
}

func (r *rooms) Leave(_ context.Context, a messages.Agent) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.busy[a.ID] {
		return "", fmt.Errorf("%s has no room", a.ID)
	}
	delete(r.busy, a.ID)
	if a.Isolation == messages.IsolationWorktree {
		return "+a line of " + string(a.ID), nil
	}
	return "", nil
}

type streams struct {
	mu   sync.Mutex
	said map[messages.AgentID]string
}

func (s *streams) Append(id messages.AgentID, stream string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said[id] += stream + "|" + string(data)
	return nil
}

func (s *streams) Close(messages.AgentID) error { return nil }

type passes struct {
	mu    sync.Mutex
	valid map[string]bool
}

func (p *passes) Issue(id messages.AgentID, epoch int) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	token := fmt.Sprintf("%s/%d", id, epoch)
	p.valid[token] = true
	return token
}

func (p *passes) Revoke(id messages.AgentID, epoch int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.valid, fmt.Sprintf("%s/%d", id, epoch))
}
