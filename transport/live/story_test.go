package live_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"kurogo/messages"
	"kurogo/transport/live"
)

// The frames of the protocol, to the letter.
func TestWhatAPageHears(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTheatre()
		h.groups = []messages.Group{{ID: "g", Status: messages.GroupActive}}
		h.tell(messages.GroupCreated, "g", h.groups[0], nil)
		b := open(t, h, live.Options{})
		p := b.visit("")
		now := time.Now().UnixMilli()
		for i, want := range []string{
			fmt.Sprintf(`{"type":"hello","proto":1,"epoch":"store-1","resumed":false,"heartbeatMs":15000,"now":%d,"server":{"version":"v1","rehearsal":true}}`, now),
			`{"type":"snapshot","seq":1,"epoch":"store-1","data":{"groups":[{"groupId":"g","description":"","status":"active","createdBy":"","createdAt":"0001-01-01T00:00:00Z"}],` +
				`"agents":[],"roles":[],"crew":[],"tasks":[],"approvals":[],"status":{`,
		} {
			if got := p.raw(); got != want && (i == 0 || !strings.HasPrefix(got, want)) {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		}
		h.tell(messages.GroupRemoved, "g", struct{}{}, nil)
		if got, want := p.raw(), fmt.Sprintf(`{"type":"batch","ev":[{"seq":2,"type":"group:deleted","ts":%d,"id":"g","data":{}}]}`, now); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if got, want := p.raw(), fmt.Sprintf(`{"type":"hb","seq":2,"now":%d}`, now+15_000); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

// A page that comes back hears what it missed, once, also from another server
// over the same journal.
func TestAPageGoesOnWhereItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTheatre()
		b := open(t, h, live.Options{})
		p := b.visit("")
		p.begin()
		h.persona("a", 1)
		if got := seqs(p.next("batch")); !slices.Equal(got, []int64{1}) {
			t.Fatalf("got %v", got)
		}
		p.close()
		h.tell(messages.MessageAccepted, "m", struct{}{}, nil)
		h.persona("a", 2)

		back := func() {
			p := b.visit("?epoch=store-1&since=1")
			defer p.close()
			if hello := p.next("hello"); !hello.Resumed || hello.Epoch != "store-1" {
				t.Errorf("got %+v", hello)
			}
			if got := seqs(p.next("batch")); !slices.Equal(got, []int64{2, 3}) {
				t.Errorf("got %v", got)
			}
		}
		back()
		b.close()
		b = open(t, h, live.Options{})
		back()
		up := b.visit("?epoch=store-1&since=3") // to date
		if hello := up.next("hello"); !hello.Resumed {
			t.Errorf("got %+v", hello)
		}
		h.persona("a", 3)
		if got := seqs(up.next("batch")); !slices.Equal(got, []int64{4}) {
			t.Errorf("got %v", got)
		}
	})
}

// Whoever cannot go on begins anew.
func TestWhoCannotGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTheatre()
		for i := range 30 {
			h.persona("a", i)
		}
		b := open(t, h, live.Options{Events: 10})
		for name, query := range map[string]string{
			"another store":      "?epoch=store-2&since=29",
			"no store":           "?since=29",
			"no cursor":          "?epoch=store-1",
			"a future cursor":    "?epoch=store-1&since=1000",
			"a cursor below all": "?epoch=store-1&since=-1",
			"no number":          "?epoch=store-1&since=x",
			"out of reach":       "?epoch=store-1&since=3",
		} {
			p := b.visit(query)
			if hello := p.next("hello"); hello.Resumed {
				t.Errorf("%s: it resumed", name)
			}
			if s := p.next("snapshot"); s.Seq != h.last() {
				t.Errorf("%s: the snapshot is of %d, want %d", name, s.Seq, h.last())
			}
			p.close()
		}
	})
}

// Batches leave at most every 33 ms, hold everything that is a fact, and of what
// only says how a thing stands the last.
func TestBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTheatre()
		p := attend(t, h, live.Options{})
		<-time.After(time.Second)
		first := h.agent(messages.AgentCreated, ada, messages.AgentQueued, 0)
		if got := seqs(p.next("batch")); !slices.Equal(got, []int64{first}) { // at once
			t.Fatalf("got %v", got)
		}
		began := time.Now()
		h.agent(messages.AgentUpdated, ada, messages.AgentRunning, 1)
		said := h.tell(messages.PersonaThought, "a", messages.Utterance{Text: "one"}, nil)
		h.persona("a", 1)
		also := h.tell(messages.PersonaThought, "a", messages.Utterance{Text: "two"}, nil)
		last := h.agent(messages.AgentUpdated, ada, messages.AgentRunning, 2)
		other := h.agent(messages.AgentUpdated, bob, messages.AgentRunning, 1)
		end := h.agent(messages.AgentEnded, ada, messages.AgentCompleted, 3)
		up := h.persona("a", 2)
		if got, want := seqs(p.next("batch")), []int64{said, also, last, other, end, up}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if took := time.Since(began); took != 33*time.Millisecond {
			t.Errorf("it left after %v", took)
		}
		go func() {
			for range 200 {
				h.tell(messages.MessageAcked, "m", struct{}{}, nil)
				<-time.After(5 * time.Millisecond)
			}
		}()
		n, batches := 0, 0
		for began = time.Now(); n < 200; batches++ {
			n += len(p.next("batch").Ev)
		}
		if most := int(time.Since(began)/(33*time.Millisecond)) + 2; n != 200 || batches > most || batches < most-4 {
			t.Errorf("%d events in %d batches, at most %d", n, batches, most)
		}
	})
}

// What has piled up leaves in several frames.
func TestAFrameIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTheatre()
		p := attend(t, h, live.Options{})
		h.persona("a", 1)
		synctest.Wait() // it waits to be read, and the rest behind it
		for range 4500 {
			h.tell(messages.MessageAcked, "m", struct{}{}, nil)
		}
		for range 5 {
			h.tell(messages.MessageAccepted, "m", strings.Repeat("x", 400<<10), nil)
		}
		var got []int
		for n := 0; n < 4506; n += got[len(got)-1] {
			got = append(got, len(p.next("batch").Ev))
		}
		if want := []int{1, 2000, 2000, 502, 2, 1}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

// A page that falls behind the ring gets a new snapshot, and one that reads hears
// everything meanwhile.
func TestASlowPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTheatre()
		b := open(t, h, live.Options{Events: 100})
		slow, quick := b.visit(""), b.visit("")
		slow.begin()
		quick.begin()
		heard := 0
		for i := range 1000 {
			h.tell(messages.MessageAcked, "m", i, nil)
			if i%50 == 49 {
				for heard <= i {
					heard += len(quick.next("batch").Ev)
				}
				<-time.After(200 * time.Millisecond)
			}
		}
		stuck := slow.next("batch") // was on its way
		if s := slow.next("snapshot"); s.Seq != h.last() || len(stuck.Ev) > 100 {
			t.Errorf("the snapshot is of %d, want %d, after %d events", s.Seq, h.last(), len(stuck.Ev))
		}
		next := h.tell(messages.MessageAcked, "m", "more", nil)
		if got := seqs(slow.next("batch")); !slices.Equal(got, []int64{next}) {
			t.Errorf("got %v, want %d", got, next)
		}
	})
}

// A page that never reads is dropped, and there is room for another.
func TestADeafPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTheatre()
		b := open(t, h, live.Options{Connections: 1})
		deaf := b.visit("")
		deaf.begin()
		h.persona("a", 1)
		<-time.After(9 * time.Second)
		d := websocket.Dialer{NetDialContext: b.pipes.Dial}
		if _, answer, err := d.DialContext(t.Context(), "ws://127.0.0.1:9696/ws", authorised(secret)); err == nil || answer.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("got %+v, %v", answer, err)
		}
		<-time.After(time.Second)
		synctest.Wait()
		p := b.visit("")
		p.begin()
	})
}

// A page that answers no ping has gone without a word; one that does may be
// silent for ever.
func TestASilentPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, newTheatre(), live.Options{})
		gone, there := b.visit(""), b.visit("")
		gone.ws.SetPingHandler(func(string) error { return nil })
		began := time.Now()
		ended := make(chan time.Duration)
		go func() {
			for {
				if _, _, err := gone.ws.ReadMessage(); err != nil {
					ended <- time.Since(began)
					return
				}
			}
		}()
		there.begin()
		for time.Since(began) < time.Hour {
			there.next("hb")
		}
		if got := <-ended; got != time.Minute {
			t.Errorf("it was waited for %v", got)
		}
	})
}

// When the journal breaks, pages are sent away; whoever comes back finds it again.
func TestAJournalThatBreaks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTheatre()
		b := open(t, h, live.Options{})
		p := b.visit("")
		p.begin()
		h.persona("a", 1)
		p.next("batch")
		h.fail(errors.New("the disk is gone"))
		if _, _, err := p.ws.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseInternalServerErr) {
			t.Errorf("got %v", err)
		}
		h.mu.Lock()
		h.broken = nil
		h.mu.Unlock()
		h.persona("a", 2)
		p = b.visit("?epoch=store-1&since=1")
		if hello := p.next("hello"); !hello.Resumed {
			t.Errorf("got %+v", hello)
		}
		if got := seqs(p.next("batch")); !slices.Equal(got, []int64{2}) {
			t.Errorf("got %v", got)
		}
	})
}

// When everybody comes at once, the house is read once.
func TestASnapshotIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTheatre()
		b := open(t, h, live.Options{})
		for range 20 {
			p := b.visit("")
			p.begin()
		}
		if n := h.questions("list_groups"); n != 1 {
			t.Errorf("it was read %d times", n)
		}
		<-time.After(time.Second)
		h.persona("a", 1)
		p := b.visit("")
		if s := p.begin(); s.Seq != 1 || h.questions("list_groups") != 2 {
			t.Errorf("the snapshot is of %d, after %d readings", s.Seq, h.questions("list_groups"))
		}
	})
}

// Of more agents than a snapshot holds, those that have not ended are in it.
func TestASnapshotHoldsWhoHasNotEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTheatre()
		h.agent(messages.AgentCreated, ada, messages.AgentRunning, 0)
		h.agent(messages.AgentCreated, bob, messages.AgentCompleted, 0)
		for i := range 1000 {
			h.agent(messages.AgentCreated, messages.AgentID(fmt.Sprint("a-", i)), messages.AgentCompleted, 0)
		}
		b := open(t, h, live.Options{})
		p := b.visit("")
		s := p.begin()
		if data := string(s.Data); !strings.Contains(data, string(ada)) || strings.Contains(data, string(bob)) || strings.Count(data, `"agentId"`) != 1001 {
			t.Errorf("the snapshot holds %d agents", strings.Count(data, `"agentId"`))
		}
	})
}
