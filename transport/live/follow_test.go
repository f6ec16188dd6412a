package live_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kurogo/messages"
	"kurogo/transport/live"
)

const (
	adaLog    = "agent:" + string(ada) + ":log"
	adaStderr = "agent:" + string(ada) + ":stderr"
)

// sub is the order to follow logs from their beginning.
func sub(topics ...string) string {
	return `{"type":"sub","id":"1","topics":["` + strings.Join(topics, `","`) + `"]}`
}

// subFrom is the order to follow them from there.
func subFrom(offset int64, topics ...string) string {
	return strings.TrimSuffix(sub(topics...), "}") + fmt.Sprintf(`,"offset":%d}`, offset)
}

// A delta is a piece of a log.
type delta struct {
	topic  string
	offset int64
	text   string
	next   int64
	ended  bool
}

// hears reads a piece of a log, which must be this one.
func (p *page) hears(want delta) {
	p.t.Helper()
	f := p.next("delta")
	if got := (delta{f.Topic, f.Offset, f.Text, f.Next, f.Ended}); got != want {
		p.t.Errorf("got %+v, want %+v", got, want)
	}
}

// A log is told from where the page wants it, and goes on when its agent does.
func TestALogIsFollowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTheatre()
		h.agent(messages.AgentCreated, ada, messages.AgentRunning, 0)
		h.agent(messages.AgentCreated, bob, messages.AgentRunning, 0)
		h.says(ada, "stdout", "one\ntwo\n")
		p := attend(t, h, live.Options{})
		p.say(subFrom(4, adaLog))
		for _, want := range []string{
			`{"type":"ack","id":"1","ok":true,"data":{"topics":[{"topic":"` + adaLog + `","offset":4,"size":8}]}}`,
			`{"type":"delta","topic":"` + adaLog + `","offset":4,"text":"two\n","next":8}`,
		} {
			if got := p.raw(); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		}
		h.says(bob, "stdout", "not followed")
		p.next("batch")
		synctest.Wait()
		h.says(ada, "stdout", "three")
		p.next("batch")
		p.hears(delta{adaLog, 8, "three", 13, false})
		h.says(ada, "stderr", "hush")
		p.next("batch")

		p.obeyed(subFrom(-4, adaStderr, adaLog))
		p.hears(delta{adaStderr, 0, "hush", 4, false})
		p.hears(delta{adaLog, 9, "hree", 13, false}) // from the end
		if f := p.refused(subFrom(14, adaLog), messages.CodeInvalid, "14 is beyond the end at 13"); f.Error.Field != "offset" {
			t.Errorf("got %+v", f)
		}
		p.obeyed(`{"type":"unsub","id":"4","topics":["` + adaStderr + `"]}`)
		h.says(ada, "stderr", "more")
		p.next("batch")
		synctest.Wait()
		h.agent(messages.AgentEnded, ada, messages.AgentCompleted, 0)
		p.next("batch")
		p.hears(delta{adaLog, 13, "", 13, true})
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
		p := attend(t, h, live.Options{})
		p.obeyed(sub(adaLog))
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
		p.hears(delta{adaLog, at, "黒!", at + 4, false})
		h.says(ada, "stdout", "\xe9") // never complete
		p.next("batch")
		synctest.Wait()
		h.agent(messages.AgentEnded, ada, messages.AgentFailed, 0)
		p.next("batch")
		p.hears(delta{adaLog, at + 4, "\ufffd", int64(len(log)) + 3, true})
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
			topics = append(topics, "agent:"+string(id)+":log")
		}
		p := attend(t, h, live.Options{})
		p.refused(sub(topics...), messages.CodeBusy, "more than 16 logs")
		p.obeyed(sub(topics[:16]...))
		p.obeyed(sub(topics[:16]...))
		p.refused(sub(topics[16]), messages.CodeBusy, "")
		p.obeyed(`{"type":"unsub","id":"2","topics":["` + topics[3] + `"]}`)
		p.obeyed(sub(topics[16]))
	})
}

// Falling behind the ring, a page misses nothing of the logs it follows.
func TestALogOfASlowPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newTheatre()
		h.agent(messages.AgentCreated, ada, messages.AgentRunning, 0)
		p := attend(t, h, live.Options{Events: 10})
		p.obeyed(sub(adaLog))
		synctest.Wait()
		h.persona("a", 1)
		synctest.Wait()
		h.says(ada, "stdout", "in the dark")
		for i := range 20 {
			h.persona("a", i)
		}
		p.next("batch")
		p.next("snapshot")
		p.hears(delta{adaLog, 0, "in the dark", 11, false})
	})
}
