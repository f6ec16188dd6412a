package live_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"kurogo/messages"
	"kurogo/transport/live"
)

// An order is answered under its own id, and done on behalf of the owner.
func TestOrders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTheatre()
		b := open(t, h, live.Options{})
		defer b.close()
		p := b.visit("")
		defer p.close()
		p.begin()
		for _, c := range []struct{ order, want string }{
			{
				`{"type":"call","id":"c1","tool":"cancel_agent","input":{"agentId":"a"}}`,
				`{"type":"ack","id":"c1","ok":true,"data":{"agentId":"a","cancelled":true,"client":"dashboard"}}`,
			},
			{
				`{"type":"call","id":"c2","tool":"dance"}`,
				`{"type":"ack","id":"c2","ok":false,"error":{"code":"not_found","message":"there is no tool \"dance\"","field":"name","remedy":"use cancel_agent"}}`,
			},
			{`{"type":"config:revalidate_model","id":"c3","data":{"id":"impl-code"}}`, `{"type":"ack","id":"c3","ok":true}`},
			{`{"type":"config:revalidate_model","id":"c4","data":{}}`, `{"type":"ack","id":"c4","ok":true}`},
			{
				`{"type":"config:revalidate_model","id":"c5","data":{"id":"nobody"}}`,
				`{"type":"ack","id":"c5","ok":false,"error":{"code":"not_found","message":"there is no role \"nobody\"","remedy":"see list_roles"}}`,
			},
			{
				`{"type":"config:update_role","id":"c6","data":{"id":"impl-code","model":"m","dry_run":true}}`,
				`{"type":"ack","id":"c6","ok":true,"data":{"path":"kurogo.toml","base":"b2","diff":"+model = m","applied":false}}`,
			},
			{
				`{"type":"config:update_role","id":"c8","data":{"id":"impl-code","model":"m","base":"b2"}}`,
				`{"type":"ack","id":"c8","ok":true,"data":{"path":"kurogo.toml","base":"b2","diff":"+model = m","applied":true}}`,
			},
			{
				`{"type":"config:update_role","id":"c9","data":{"id":"impl-code","model":"m","base":"old"}}`,
				`{"type":"ack","id":"c9","ok":false,"error":{"code":"conflict","message":"the file is another by now","remedy":"read it again"}}`,
			},
			{
				`{"type":"call","id":"c7","tool":"mumble"}`,
				`{"type":"ack","id":"c7","ok":false,"error":{"code":"internal","message":"the answer could not be encoded","remedy":"the log of kurogo serve says more"}}`,
			},
		} {
			p.say(c.order)
			if got := p.raw(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		}
	})
}

// What is no order is refused by name, and the page goes on.
func TestOrdersThatAreNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, newTheatre(), live.Options{})
		defer b.close()
		p := b.visit("")
		defer p.close()
		p.begin()
		for _, c := range []struct{ order, id, field, says string }{
			{`nonsense`, "", "frame", "invalid character"},
			{``, "", "frame", "EOF"},
			{`[]`, "", "frame", "cannot unmarshal array"},
			{`{"type":"call","id":"1","tool":"cancel_agent"} {}`, "1", "frame", "something follows"},
			{`{"type":"call","id":"1","tol":"cancel_agent"}`, "1", "frame", `unknown field "tol"`},
			{`{"type":"call","id":1}`, "", "frame", "cannot unmarshal number"},
			{`{"type":"call","tool":"cancel_agent"}`, "", "id", "missing"},
			{`{"type":"call","id":"` + strings.Repeat("1", 65) + `","tool":"cancel_agent"}`, "", "id", "longer than 64"},
			{`{"type":"call","id":"1"}`, "1", "tool", "missing"},
			{`{"type":"dance","id":"1"}`, "1", "type", `"dance" is no order`},
			{`{"type":"","id":"1","tool":"x"}`, "1", "type", "is no order"},
			{`{"type":"sub","id":"1"}`, "1", "topics", "missing"},
			{`{"type":"sub","id":"1","topics":["agent:x:log"],"tool":"x"}`, "1", "tool", "sub has none"},
			{`{"type":"sub","id":"1","topics":["agent:x"]}`, "1", "topics", "is no topic"},
			{`{"type":"sub","id":"1","topics":["agent::log"]}`, "1", "topics", "is no topic"},
			{`{"type":"sub","id":"1","topics":["group:x:log"]}`, "1", "topics", "is no topic"},
			{`{"type":"unsub","id":"1","topics":["x"]}`, "1", "topics", "is no topic"},
			{`{"type":"sub","id":"1","topics":["agent:x:log"]}`, "1", "", "there is no agent"},
			{`{"type":"config:revalidate_model","id":"1"}`, "1", "data", "missing"},
			{`{"type":"config:update_role","id":"1","data":{"id":"impl-code","rev":6}}`, "1", "data", `unknown field "rev"`},
			{`{"type":"config:revalidate_model","id":"1","data":{"rolle":"x"}}`, "1", "data", `unknown field "rolle"`},
			{`{"type":"config:revalidate_model","id":"1","data":[]}`, "1", "data", "cannot unmarshal"},
		} {
			f := p.ask(c.order)
			if f.OK || f.ID != c.id || f.Error.Field != c.field || !strings.Contains(f.Error.Message, c.says) || f.Error.Remedy == "" {
				t.Errorf("%s: got %+v", c.order, f)
			}
		}
		if err := p.ws.WriteMessage(websocket.BinaryMessage, []byte(`{}`)); err != nil {
			t.Fatal(err)
		}
		if f := p.next("ack"); f.OK || !strings.Contains(f.Error.Message, "orders are text") {
			t.Errorf("got %+v", f)
		}
		if f := p.ask(`{"type":"call","id":"2","tool":"cancel_agent","input":{}}`); !f.OK {
			t.Errorf("got %+v", f)
		}
	})
}

// So many orders are carried out at once; the socket still hears, and the waits
// end with the page.
func TestOrdersThatLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTheatre()
		b := open(t, h, live.Options{})
		defer b.close()
		p := b.visit("")
		p.begin()
		for i := range 16 {
			p.say(fmt.Sprintf(`{"type":"call","id":"%d","tool":"wait_agent"}`, i))
			<-h.waiting
		}
		if f := p.ask(`{"type":"call","id":"16","tool":"wait_agent"}`); f.Error.Code != "busy" || f.ID != "16" || !strings.Contains(f.Error.Message, "16 orders") {
			t.Errorf("got %+v", f)
		}
		h.persona("a", 1)
		p.next("batch")
		p.close()
		for range 16 {
			if err := <-h.left; err == nil {
				t.Error("a wait ended well")
			}
		}
	})
}

// A page that orders without end is told so, and may go on later.
func TestOrdersAreRated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, newTheatre(), live.Options{})
		defer b.close()
		p := b.visit("")
		defer p.close()
		p.begin()
		order := `{"type":"call","id":"1","tool":"cancel_agent","input":{}}`
		for range 200 {
			if f := p.ask(order); !f.OK {
				t.Fatalf("got %+v", f)
			}
		}
		if f := p.ask(order); f.Error.Code != "rate_limited" || f.Error.Retry != 20 || f.ID != "1" {
			t.Errorf("got %+v", f)
		}
		<-time.After(20 * time.Millisecond)
		if f := p.ask(order); !f.OK {
			t.Errorf("got %+v", f)
		}
	})
}

// Who orders but does not read is held back, and then dropped.
func TestWhoOrdersButDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, newTheatre(), live.Options{})
		defer b.close()
		p := b.visit("")
		defer p.close()
		p.begin()
		began := time.Now()
		order := []byte(`{"type":"call","id":"1","tool":"cancel_agent","input":{}}`)
		for p.ws.WriteMessage(websocket.TextMessage, order) == nil {
		}
		if took := time.Since(began); took != 10*time.Second {
			t.Errorf("it was let go on for %v", took)
		}
	})
}

// An order of more than a megabyte ends the connection before it is read.
func TestOrdersAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, newTheatre(), live.Options{})
		defer b.close()
		p := b.visit("")
		defer p.close()
		p.begin()
		text := strings.Repeat("x", 1<<20-100)
		if f := p.ask(`{"type":"call","id":"1","tool":"cancel_agent","input":{"agentId":"` + text + `"}}`); !f.OK {
			t.Errorf("at the limit: %+v", f.Error)
		}
		if _, err := p.ws.NetConn().Write([]byte{0x81, 0xff, 0, 0, 0, 0, 0x40, 0, 0, 0, 1, 2, 3, 4}); err != nil { // text, masked, 1 GiB
			t.Fatal(err)
		}
		if _, _, err := p.ws.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseMessageTooBig) {
			t.Errorf("got %v", err)
		}
	})
}

// A flood of pings is not answered for ever.
func TestPingsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, newTheatre(), live.Options{})
		defer b.close()
		p := b.visit("")
		defer p.close()
		p.begin()
		pongs := 0
		p.ws.SetPongHandler(func(string) error { pongs++; return nil })
		go func() {
			for p.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(time.Second)) == nil {
			}
		}()
		if _, _, err := p.ws.ReadMessage(); err == nil || pongs != 256 {
			t.Errorf("%d were answered, then %v", pongs, err)
		}
	})
}

// A log is told from where the page wants it, and goes on when its agent does.
func TestALogIsFollowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTheatre()
		h.agent(messages.AgentCreated, ada, messages.AgentRunning, 0)
		h.agent(messages.AgentCreated, bob, messages.AgentRunning, 0)
		h.says(ada, "stdout", "one\ntwo\n")
		b := open(t, h, live.Options{})
		defer b.close()
		p := b.visit("")
		defer p.close()
		p.begin()
		topic := "agent:" + string(ada) + ":log"
		p.say(`{"type":"sub","id":"1","topics":["` + topic + `"],"offset":4}`)
		if got, want := p.raw(), `{"type":"ack","id":"1","ok":true,"data":{"topics":[{"topic":"`+topic+`","offset":4,"size":8}]}}`; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if got, want := p.raw(), `{"type":"delta","topic":"`+topic+`","offset":4,"text":"two\n","next":8}`; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		h.says(bob, "stdout", "not followed")
		p.next("batch")
		synctest.Wait()
		h.says(ada, "stdout", "three")
		p.next("batch")
		if d := p.next("delta"); d.Offset != 8 || d.Text != "three" || d.Next != 13 {
			t.Errorf("got %+v", d)
		}
		h.says(ada, "stderr", "hush")
		p.next("batch")

		p.say(`{"type":"sub","id":"2","topics":["agent:` + string(ada) + `:stderr","` + topic + `"],"offset":-4}`)
		p.next("ack")
		if d := p.next("delta"); d.Offset != 0 || d.Text != "hush" || d.Topic == topic {
			t.Errorf("got %+v", d)
		}
		if d := p.next("delta"); d.Offset != 9 || d.Text != "hree" { // from the end
			t.Errorf("got %+v", d)
		}
		if f := p.ask(`{"type":"sub","id":"3","topics":["` + topic + `"],"offset":14}`); f.Error.Field != "offset" || !strings.Contains(f.Error.Message, "14 is beyond the end at 13") {
			t.Errorf("got %+v", f)
		}
		if f := p.ask(`{"type":"unsub","id":"4","topics":["agent:` + string(ada) + `:stderr"]}`); !f.OK {
			t.Errorf("got %+v", f)
		}
		h.says(ada, "stderr", "more")
		p.next("batch")
		synctest.Wait()
		h.agent(messages.AgentEnded, ada, messages.AgentCompleted, 0)
		p.next("batch")
		if d := p.next("delta"); d.Text != "" || d.Offset != 13 || !d.Ended {
			t.Errorf("got %+v", d)
		}
		h.agent(messages.AgentUpdated, ada, messages.AgentCompleted, 1)
		p.next("batch")
		if !p.quiet(time.Second) { // the end is told once
			t.Error("there is more")
		}
	})
}

// A long log comes in pieces between which other things are told, cut between two
// letters, also where a segment cuts one.
func TestALongLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTheatre()
		h.size = 100_000
		h.agent(messages.AgentCreated, ada, messages.AgentRunning, 0)
		log := "x" + strings.Repeat("黒衣", 40_000) + "\xe9\xbb"
		h.says(ada, "stdout", log)
		b := open(t, h, live.Options{})
		defer b.close()
		p := b.visit("")
		defer p.close()
		p.begin()
		p.say(`{"type":"sub","id":"1","topics":["agent:` + string(ada) + `:log"]}`)
		p.next("ack")
		var text strings.Builder
		var at int64
		for at < int64(len(log))-2 {
			d := p.next("delta")
			if d.Offset != at || d.Next != at+int64(len(d.Text)) || len(d.Text) > 64<<10 || strings.Contains(d.Text, "\ufffd") {
				t.Fatalf("a piece of %d bytes at %d, next %d, want one at %d", len(d.Text), d.Offset, d.Next, at)
			}
			at = d.Next
			text.WriteString(d.Text)
		}
		if text.String() != log[:len(log)-2] {
			t.Error("the text is another")
		}
		h.says(ada, "stdout", "\x92!") // the rest of the letter
		p.next("batch")
		if d := p.next("delta"); d.Text != "黒!" || d.Offset != at {
			t.Errorf("got %+v", d)
		}
		h.says(ada, "stdout", "\xe9") // never complete
		p.next("batch")
		synctest.Wait()
		h.agent(messages.AgentEnded, ada, messages.AgentFailed, 0)
		p.next("batch")
		if d := p.next("delta"); d.Text != "\ufffd" || d.Next != int64(len(log))+3 || !d.Ended {
			t.Errorf("got %+v", d)
		}
	})
}

// So many logs at once; following one again is no other.
func TestTopicsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTheatre()
		var topics []string
		for i := range 17 {
			id := messages.AgentID(fmt.Sprint("a-", i))
			h.agent(messages.AgentCreated, id, messages.AgentRunning, 0)
			topics = append(topics, `"agent:`+string(id)+`:log"`)
		}
		b := open(t, h, live.Options{})
		defer b.close()
		p := b.visit("")
		defer p.close()
		p.begin()
		sub := func(topics ...string) frame {
			return p.ask(`{"type":"sub","id":"1","topics":[` + strings.Join(topics, ",") + `]}`)
		}
		if f := sub(topics...); f.Error.Code != "busy" || !strings.Contains(f.Error.Message, "more than 16 logs") {
			t.Errorf("got %+v", f)
		}
		if f := sub(topics[:16]...); !f.OK {
			t.Errorf("got %+v", f)
		}
		if f := sub(topics[:16]...); !f.OK {
			t.Errorf("got %+v", f)
		}
		if f := sub(topics[16]); f.Error.Code != "busy" {
			t.Errorf("got %+v", f)
		}
		if f := p.ask(`{"type":"unsub","id":"2","topics":[` + topics[3] + `]}`); !f.OK {
			t.Errorf("got %+v", f)
		}
		if f := sub(topics[16]); !f.OK {
			t.Errorf("got %+v", f)
		}
	})
}

// Falling behind the ring, a page misses nothing of the logs it follows.
func TestALogOfASlowPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTheatre()
		h.agent(messages.AgentCreated, ada, messages.AgentRunning, 0)
		b := open(t, h, live.Options{Events: 10})
		defer b.close()
		p := b.visit("")
		defer p.close()
		p.begin()
		if f := p.ask(`{"type":"sub","id":"1","topics":["agent:` + string(ada) + `:log"]}`); !f.OK {
			t.Fatalf("got %+v", f)
		}
		synctest.Wait()
		h.persona("a", 1)
		synctest.Wait()
		h.says(ada, "stdout", "in the dark")
		for i := range 20 {
			h.persona("a", i)
		}
		p.next("batch")
		p.next("snapshot")
		if d := p.next("delta"); d.Text != "in the dark" {
			t.Errorf("got %+v", d)
		}
	})
}
