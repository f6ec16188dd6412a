package live_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"kurogo/messages"
	"kurogo/transport/live"
)

// A view is what a page makes of its frames.
type view struct {
	Groups map[messages.GroupID]messages.GroupStatus
	Agents map[messages.AgentID]string
	Crew   map[messages.Address]int
}

func (v *view) begin(s json.RawMessage) error {
	var scene struct {
		Groups []messages.Group
		Agents []messages.Agent
		Crew   []messages.Member
	}
	if err := json.Unmarshal(s, &scene); err != nil {
		return err
	}
	*v = view{map[messages.GroupID]messages.GroupStatus{}, map[messages.AgentID]string{}, map[messages.Address]int{}}
	for _, g := range scene.Groups {
		v.Groups[g.ID] = g.Status
	}
	for _, a := range scene.Agents {
		v.Agents[a.ID] = looks(a)
	}
	for _, m := range scene.Crew {
		v.Crew[m.Name] = m.Restarts
	}
	return nil
}

func looks(a messages.Agent) string { return fmt.Sprint(a.Status, " ", a.Run.ToolCalls) }

func (v *view) apply(e event) (err error) {
	switch e.Type { //nolint:exhaustive // what changes the view
	case messages.GroupCreated, messages.GroupRemoved:
		var g messages.Group
		if err = json.Unmarshal(e.Data, &g); g.Status == messages.GroupDeleted {
			delete(v.Groups, g.ID)
		} else {
			v.Groups[g.ID] = g.Status
		}
	case messages.AgentCreated, messages.AgentUpdated, messages.AgentEnded:
		var a messages.Agent
		err = json.Unmarshal(e.Data, &a)
		v.Agents[a.ID] = looks(a)
	case messages.PersonaUpdated:
		var m messages.Member
		err = json.Unmarshal(e.Data, &m)
		v.Crew[m.Name] = m.Restarts
	}
	return err
}

// An audience is a page that reads all the time, unless it is held up, and checks
// that what it hears has no gap and no double.
type audience struct {
	h *theatre

	hold   chan struct{} // full: it does not read
	mu     sync.Mutex
	view   view
	from   int64 // of its last snapshot
	cursor int64
	facts  []int64 // heard since
	fault  error
	gone   chan struct{}
	page   *page
}

// come visits, as a page does that remembers where it was.
func (a *audience) come(b *booth) {
	query := ""
	if a.from >= 0 {
		query = fmt.Sprintf("?epoch=store-1&since=%d", a.cursor)
	}
	a.page, a.gone = b.visit(query), make(chan struct{})
	go func() {
		defer close(a.gone)
		for {
			a.hold <- struct{}{} // no mutex: those stop the clock of a bubble
			<-a.hold
			_, raw, err := a.page.ws.ReadMessage()
			if err != nil {
				return
			}
			if err := a.hear(raw); err != nil {
				a.mu.Lock()
				a.fault = fmt.Errorf("%w in %s", err, raw)
				a.mu.Unlock()
				return
			}
		}
	}()
}

func (a *audience) leave() {
	a.page.close()
	<-a.gone
}

func (a *audience) hear(raw []byte) error {
	var f frame
	if err := json.Unmarshal(raw, &f); err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch f.Type {
	case "snapshot":
		if err := a.whole(); err != nil {
			return err
		}
		if f.Seq < a.cursor {
			return fmt.Errorf("a snapshot of %d behind %d", f.Seq, a.cursor)
		}
		a.from, a.cursor, a.facts = f.Seq, f.Seq, nil
		return a.view.begin(f.Data)
	case "batch":
		for _, e := range f.Ev {
			if e.Seq <= a.cursor {
				return fmt.Errorf("%d behind %d", e.Seq, a.cursor)
			}
			a.cursor = e.Seq
			if fact(e.Type) {
				a.facts = append(a.facts, e.Seq)
			}
			if err := a.view.apply(e); err != nil {
				return err
			}
		}
	case "hb":
		if f.Seq != a.cursor {
			return fmt.Errorf("a heartbeat at %d, want %d", f.Seq, a.cursor)
		}
	}
	return nil
}

func fact(kind messages.EventKind) bool {
	return kind != messages.AgentUpdated && kind != messages.PersonaUpdated
}

// whole sees that no fact since the last snapshot is missing.
func (a *audience) whole() error {
	if a.from < 0 {
		return nil
	}
	var want []int64
	a.h.mu.Lock()
	for _, e := range a.h.events {
		if e.Seq > a.from && e.Seq <= a.cursor && fact(e.Kind) {
			want = append(want, e.Seq)
		}
	}
	a.h.mu.Unlock()
	if !slices.Equal(a.facts, want) {
		return fmt.Errorf("from %d to %d it heard %v, want %v", a.from, a.cursor, a.facts, want)
	}
	return nil
}

// A step of a script: what happens, to which of a few, and a number.
type step struct{ What, Which, N int }

var scripts = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
	return step{rapid.IntRange(0, 9).Draw(t, "what"), rapid.IntRange(0, 3).Draw(t, "which"), rapid.IntRange(0, 40).Draw(t, "n")}
}), 1, 60)

// play performs a script before one audience and says what was wrong.
func play(t *testing.T, events int, script []step) (err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := newTheatre()
		b := open(t, h, live.Options{Events: events})
		a := &audience{h: h, from: -1, hold: make(chan struct{}, 1)}
		a.come(b)
		for _, s := range script {
			id := messages.AgentID(fmt.Sprint("a-", s.Which))
			switch s.What {
			case 0, 1:
				h.agent(messages.AgentUpdated, id, messages.AgentRunning, s.N)
			case 2:
				h.agent(messages.AgentEnded, id, messages.AgentCompleted, s.N)
			case 3:
				h.persona(messages.Address(id), s.N)
			case 4, 5:
				h.group(messages.GroupID(fmt.Sprint("g-", s.Which)), s.What == 4)
			case 6:
				for range s.N {
					h.tell(messages.MessageAcked, "m", struct{}{}, nil)
				}
			case 7:
				<-time.After([]time.Duration{time.Millisecond, 10 * time.Millisecond, 40 * time.Millisecond, 20 * time.Second}[s.Which])
			case 8:
				a.leave()
				if s.Which == 0 {
					b.close()
					b = open(t, h, live.Options{Events: events})
				}
				if s.Which == 1 {
					h.persona("away", s.N)
				}
				a.come(b)
			case 9:
				a.hold <- struct{}{}
				for range s.N {
					h.tell(messages.MessageAcked, "m", struct{}{}, nil)
					<-time.After(10 * time.Millisecond)
				}
				<-a.hold
			}
		}
		<-time.After(time.Second)
		synctest.Wait()
		a.leave()
		b.close()
		err = a.verdict()
	})
	return err
}

// group opens or closes one.
func (h *theatre) group(id messages.GroupID, opens bool) {
	g, kind := messages.Group{ID: id, Status: messages.GroupActive}, messages.GroupCreated
	if !opens {
		g.Status, kind = messages.GroupDeleted, messages.GroupRemoved
	}
	h.tell(kind, string(id), g, func() {
		h.groups = slices.DeleteFunc(slices.Clone(h.groups), func(g messages.Group) bool { return g.ID == id })
		if opens {
			h.groups = append(h.groups, g)
		}
	})
}

func (a *audience) verdict() error {
	if a.fault != nil {
		return a.fault
	}
	if err := a.whole(); err != nil {
		return err
	}
	if a.cursor != a.h.last() {
		return fmt.Errorf("it heard up to %d, want %d", a.cursor, a.h.last())
	}
	scene, _ := json.Marshal(map[string]any{"groups": a.h.groups, "agents": a.h.agents, "crew": a.h.crew})
	var want view
	if err := want.begin(scene); err != nil {
		return err
	}
	if !maps.Equal(a.view.Groups, want.Groups) || !maps.Equal(a.view.Agents, want.Agents) || !maps.Equal(a.view.Crew, want.Crew) {
		return fmt.Errorf("it sees %+v, want %+v", a.view, want)
	}
	return nil
}

// Whatever happens, however often a page goes, comes, or is too slow, and whether
// or not we are the same when it comes back: it ends up seeing what there is, and
// has heard every fact once.
func TestAPageSeesWhatThereIs(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		events, script := rapid.IntRange(3, 60).Draw(r, "events"), scripts.Draw(r, "script")
		if err := play(t, events, script); err != nil {
			r.Fatal(err)
		}
	})
}
