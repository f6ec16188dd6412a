package live_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"kurogo/messages"
	"kurogo/stores/sqlite"
	"kurogo/transport/live"
)

// A playhouse answers from a real journal, in memory.
type playhouse struct {
	*theatre // the tools, and what the journal does not know
	store    *sqlite.Store
}

func (h playhouse) Ask(ctx context.Context, m messages.Message) (messages.Message, error) {
	switch m := m.(type) {
	case messages.GetStatus:
		return messages.Status{Store: h.store.ID(), LastEvent: h.store.Last()}, nil
	case messages.ListGroups:
		return h.store.Groups(ctx, m)
	case messages.ListAgents:
		return h.store.Agents(ctx, m)
	case messages.ListTasks:
		tasks, err := h.store.Tasks(ctx, m)
		return messages.Tasks{Tasks: tasks}, err
	case messages.ListApprovals:
		list, err := h.store.Approvals(ctx)
		return messages.Approvals{Approvals: list}, err
	}
	return h.theatre.Ask(ctx, m)
}

func (h playhouse) Watch(ctx context.Context, t messages.Topic, since int64) iter.Seq2[messages.Event, error] {
	return h.store.Watch(ctx, t, since)
}

// A picture is what a page knows of a real house, word by word.
type picture struct {
	Groups map[string]messages.Group
	Agents map[string]messages.Agent
	Tasks  map[string]messages.Task
}

func (p *picture) hear(f frame) {
	switch f.Type {
	case "snapshot":
		var scene struct {
			Groups []messages.Group
			Agents []messages.Agent
			Tasks  []messages.Task
		}
		_ = json.Unmarshal(f.Data, &scene)
		*p = picture{map[string]messages.Group{}, map[string]messages.Agent{}, map[string]messages.Task{}}
		for _, g := range scene.Groups {
			p.group(g)
		}
		for _, a := range scene.Agents {
			p.agent(a)
		}
		for _, t := range scene.Tasks {
			p.Tasks[string(t.ID)] = t
		}
	case "batch":
		for _, e := range f.Ev {
			p.event(e)
		}
	}
}

func (p *picture) event(e event) {
	var g messages.Group
	var a messages.Agent
	var t messages.Task
	switch e.Type { //nolint:exhaustive // what changes the picture
	case messages.GroupCreated:
		_ = json.Unmarshal(e.Data, &g)
		p.group(g)
	case messages.GroupRemoved:
		delete(p.Groups, e.ID)
	case messages.AgentCreated, messages.AgentUpdated, messages.AgentEnded:
		_ = json.Unmarshal(e.Data, &a)
		p.agent(a)
	case messages.ResultReported:
		a = p.Agents[e.ID]
		a.Status = messages.AgentReported
		p.agent(a)
	case messages.TaskUpdated:
		_ = json.Unmarshal(e.Data, &t)
		p.Tasks[e.ID] = t
	}
}

// group keeps what the group's own events say; a page counts its agents itself.
func (p *picture) group(g messages.Group) {
	g.Agents = nil
	p.Groups[string(g.ID)] = g
}

func (p *picture) agent(a messages.Agent) { p.Agents[string(a.ID)] = a }

// A company that is ordered, cancelled, reported and closed at random, in a real
// journal: a page that comes and goes sees in the end what a new one sees.
func TestAPageSeesTheJournal(t *testing.T) {
	for seed := range uint64(10) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { perform(t, rand.New(rand.NewPCG(seed, 0))) })
		})
	}
}

func perform(t *testing.T, chance *rand.Rand) {
	t.Helper()
	store, err := sqlite.Open(t.Context(), "", sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := playhouse{newTheatre(), store}
	b := openHouse(t, h, h, live.Options{Events: 40})
	var sees picture
	last := int64(0)
	p := b.visit("")
	read := func() {
		for last < store.Last() {
			var f frame
			if err := json.Unmarshal([]byte(p.raw()), &f); err != nil {
				t.Fatal(err)
			}
			sees.hear(f)
			if last = max(last, f.Seq); len(f.Ev) > 0 {
				last = f.Ev[len(f.Ev)-1].Seq
			}
		}
	}
	if _, err := store.Commit(t.Context(), messages.Enlist{Crew: []messages.Enlisted{{Name: "boss", ReportsTo: messages.User}}, Now: time.Now()}); err != nil {
		t.Fatal(err)
	}
	c := company{t: t, store: store, chance: chance}
	for range 60 {
		c.step()
		switch chance.IntN(6) {
		case 0:
			read()
		case 1:
			p.close()
			query := ""
			if sees.Groups != nil { // it has seen something already
				query = fmt.Sprintf("?epoch=%s&since=%d", store.ID(), last)
			}
			p = b.visit(query)
		case 2:
			<-time.After(time.Duration(chance.IntN(100)) * time.Millisecond)
		}
	}
	c.step()
	<-time.After(time.Second) // until what nobody waits for is written, too
	read()
	p.close()
	<-time.After(2 * time.Second) // until a snapshot is no longer shared
	p = b.visit("")
	var want picture
	want.hear(p.begin())
	p.close()
	b.close()
	if err := store.Close(); err != nil {
		t.Error(err)
	}
	if len(want.Agents) == 0 || len(want.Tasks) == 0 {
		t.Fatal("nothing happened")
	}
	maps.DeleteFunc(sees.Tasks, func(_ string, t messages.Task) bool { // an agent's own is seen on its page
		_, own := t.Owner.Agent()
		return own || t.Parent != ""
	})
	if diff := cmp.Diff(want, sees); diff != "" {
		t.Errorf("a new page sees − and the old one +:\n%s", diff)
	}
}

// A company does one thing after the other.
type company struct {
	t      *testing.T
	store  *sqlite.Store
	chance *rand.Rand
	groups []messages.GroupID
	agents []messages.Agent
}

// step commits something; what is refused changes nothing.
func (c *company) step() {
	now := time.Now()
	var change messages.Change
	a := messages.Agent{}
	if len(c.agents) > 0 {
		a = c.agents[c.chance.IntN(len(c.agents))]
	}
	switch n := c.chance.IntN(11); {
	case n == 10:
		change = messages.Accept{Now: now, Message: messages.CCMessage{
			ID: messages.MessageID(messages.NewID()), From: messages.User, To: "boss", Type: messages.TaskRequest, Content: "think",
		}}
	case n < 2 || len(c.groups) == 0:
		change = messages.OpenGroup{Description: "a feature", By: messages.User, Now: now}
	case n < 5 || a.ID == "":
		d := messages.Draft{Role: "impl-code", Driver: "rehearsal", Prompt: "do it", Dir: "/tmp", Timeout: time.Minute, Isolation: messages.IsolationNone}
		group := c.groups[c.chance.IntN(len(c.groups))]
		change = messages.OrderAgents{Group: group, By: messages.User, Stages: [][]messages.Draft{{d, d}, {d}}, Now: now}
	case n < 7:
		change = messages.KeepRun{Agent: a.ID, Run: messages.Run{ToolCalls: c.chance.IntN(100), Last: "still at it"}, Now: now}
	case n < 8:
		change = messages.KeepReport{Agent: a.ID, Report: messages.Report{Status: messages.ResultSuccess, Summary: "done"}, Now: now}
	case n < 9:
		change = messages.Cancel{Task: a.Task, Reason: "no more", Now: now}
	default:
		change = messages.CloseGroup{Group: c.groups[c.chance.IntN(len(c.groups))], Now: now}
	}
	out, err := c.store.Commit(c.t.Context(), change)
	if err != nil && messages.IsCode(err, messages.CodeInternal) {
		c.t.Fatal(err)
	}
	if out.Group.ID != "" {
		c.groups = append(c.groups, out.Group.ID)
	}
	c.agents = append(c.agents, out.Agents...)
}
