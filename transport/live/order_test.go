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

const cancelling = `{"type":"call","id":"1","tool":"cancel_agent","input":{}}`

// An order is answered under its own id, and done on behalf of the owner.
func TestOrders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := attend(t, newTheatre(), live.Options{})
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
		p := attend(t, newTheatre(), live.Options{})
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
		p.obeyed(cancelling)
	})
}

// So many orders are carried out at once; the socket still hears, and the waits
// end with the page.
func TestOrdersThatLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTheatre()
		p := attend(t, h, live.Options{})
		for i := range 16 {
			p.say(fmt.Sprintf(`{"type":"call","id":"%d","tool":"wait_agent"}`, i))
			<-h.waiting
		}
		if f := p.refused(`{"type":"call","id":"16","tool":"wait_agent"}`, messages.CodeBusy, "16 orders"); f.ID != "16" {
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
		p := attend(t, newTheatre(), live.Options{})
		for range 200 {
			p.obeyed(cancelling)
		}
		if f := p.refused(cancelling, messages.CodeRateLimited, ""); f.Error.Retry != 20 || f.ID != "1" {
			t.Errorf("got %+v", f)
		}
		<-time.After(20 * time.Millisecond)
		p.obeyed(cancelling)
	})
}

// Who orders but does not read is held back, and then dropped.
func TestWhoOrdersButDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := attend(t, newTheatre(), live.Options{})
		began := time.Now()
		for p.ws.WriteMessage(websocket.TextMessage, []byte(cancelling)) == nil {
		}
		if took := time.Since(began); took != 10*time.Second {
			t.Errorf("it was let go on for %v", took)
		}
	})
}

// An order of more than a megabyte ends the connection before it is read.
func TestOrdersAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := attend(t, newTheatre(), live.Options{})
		p.obeyed(`{"type":"call","id":"1","tool":"cancel_agent","input":{"agentId":"` + strings.Repeat("x", 1<<20-100) + `"}}`)
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
		p := attend(t, newTheatre(), live.Options{})
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
