package local_test

import (
	"bufio"
	"strings"
	"testing"

	"kurogo/messages"
	"kurogo/transport/local"
)

const hello = `{"verb":"hello","hello":{"version":"v1","schema":3}}`

// Whoever does not keep to the protocol hears what was wrong and is hung up on:
// after a bad frame nobody knows where the next one begins.
func TestGarbageEndsTheConnectionByName(t *testing.T) {
	for name, story := range map[string]struct{ says, hears string }{
		"no JSON":            {"GET / HTTP/1.1\n", "invalid character"},
		"unknown verb":       {`{"id":1,"verb":"shout"}` + "\n", `\"shout\" is no verb`},
		"unknown field":      {`{"id":1,"verb":"ask","loud":true}` + "\n", "loud"},
		"two objects a line": {`{"id":1,"verb":"cancel"}{}` + "\n", "something follows"},
		"a verb of ours":     {`{"id":1,"verb":"end"}` + "\n", "not for a client to say"},
		"hello again":        {hello + "\n", "not for a client to say"},
		"no id":              {`{"verb":"ask","word":{"kind":"get_crew"}}` + "\n", "needs an id"},
		"no word":            {`{"id":1,"verb":"ask"}` + "\n", "says nothing"},
		"no room":            {`{"id":1,"verb":"more","more":-5}` + "\n", "no number of events"},
		"9 MiB":              {`{"id":1,"verb":"ask","word":"` + strings.Repeat("x", 9<<20) + "\"}\n", "do not fit into a frame"},
	} {
		t.Run(name, func(t *testing.T) {
			d, _, _ := serve(t, house{}, local.Options{})
			s := d.greeted(t)
			s.says(story.says)
			s.hears(`"fail"`, `"invalid"`, story.hears)
			s.isDropped()
		})
	}
}

// A word that the house does not know costs its asker an answer, no more.
func TestBadWordsAreRefusedOneByOne(t *testing.T) {
	d, _, _ := serve(t, house{ask: tells}, local.Options{})
	s := d.greeted(t)
	for _, story := range []struct{ word, hears string }{
		{`{"kind":"sing","body":{}}`, `sing`},
		{`{"kind":"get_task","body":{"task_id":"t1","key":"c#"}}`, `key`},
		{`{"kind":"get_task","body":{"task_id":7}}`, `task_id`},
		{`"get_task"`, `wire`},
		{`{"kind":"get_task","body":{"task_id":"t1"}}`, `"answer"`},
	} {
		s.says(`{"id":5,"verb":"ask","word":` + story.word + "}\n")
		s.hears(`"id":5`, story.hears)
	}
}

// Half a frame, and then the client is gone: nobody answers half a question.
func TestHalfAFrameIsNeverAsked(t *testing.T) {
	d, stop, served := serve(t, house{}, local.Options{}) // an Ask would panic
	s := d.greeted(t)
	if _, err := s.conn.Write([]byte(`{"id":1,"verb":"ask","word":{"kind":"stop_house"`)); err != nil {
		t.Fatal(err)
	}
	_ = s.conn.Close()
	stop()
	if err := served(); err != nil {
		t.Error(err)
	}
}

// Ids are the client's, but one at a time.
func TestAnIDInUseIsRefused(t *testing.T) {
	d, _, _ := serve(t, house{watch: tape(0)}, local.Options{})
	s := d.greeted(t)
	s.says(strings.Repeat(`{"id":1,"verb":"watch"}`+"\n", 2))
	s.hears("1 is in use")
}

// Old ids are no fault: the answer and the cancel may cross.
func TestCancelAfterTheEnd(t *testing.T) {
	d, _, _ := serve(t, house{ask: tells}, local.Options{})
	s := d.greeted(t)
	s.says(`{"id":9,"verb":"cancel"}` + "\n" + `{"id":9,"verb":"more","more":1}` + "\n" +
		`{"id":1,"verb":"ask","word":{"kind":"get_task","body":{"task_id":"t1"}}}` + "\n")
	s.hears(`"id":1`, `"answer"`)
}

// A server that does not keep to the protocol is left, and everybody who waits
// hears why.
func TestAServerThatTalksNonsense(t *testing.T) {
	for name, story := range map[string]struct {
		says string
		code messages.Code
		want string
	}{
		"garbage":              {"segmentation fault\n", messages.CodeInvalid, "invalid character"},
		"half a frame":         {`{"id":1,"verb":"answer"`, messages.CodeUnavailable, "unexpected EOF"},
		"a client's verb":      {`{"id":1,"verb":"cancel"}` + "\n", messages.CodeInternal, "protocol"},
		"an event to an ask":   {`{"id":1,"verb":"event","word":{"kind":"done"}}` + "\n", messages.CodeInternal, `"event" to a question`},
		"an unknown answer":    {`{"id":1,"verb":"answer","word":{"kind":"gibberish"}}` + "\n", messages.CodeInternal, "gibberish"},
		"its own end, by name": {`{"verb":"fail","word":{"kind":"error","body":{"code":"unavailable","message":"stopping"}}}` + "\n", messages.CodeUnavailable, "stopping"},
		"nothing, and leaves":  {"", messages.CodeUnavailable, "has gone"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDoor()
			go func() {
				c, _ := d.Accept()
				s := &stranger{t, c, bufio.NewReader(c)}
				_, _ = s.in.ReadString('\n')
				_, _ = c.Write([]byte(hello + "\n"))
				_, _ = s.in.ReadString('\n')
				_, _ = c.Write([]byte(story.says))
				_ = c.Close()
			}()
			_, err := d.client(t).Ask(t.Context(), messages.GetCrew{})
			wantCode(t, err, story.code, story.want)
		})
	}
}

// More events than a watcher gave room for are a breach too: the client keeps
// no more than its window in memory.
func TestAServerThatIgnoresTheWindow(t *testing.T) {
	d := newDoor()
	go func() {
		c, _ := d.Accept()
		in := bufio.NewReader(c)
		_, _ = in.ReadString('\n')
		_, _ = c.Write([]byte(hello + "\n"))
		_, _ = in.ReadString('\n')
		for range 3 * local.Window {
			if _, err := c.Write([]byte(`{"id":1,"verb":"event","word":{"kind":"event","body":{"seq":1}}}` + "\n")); err != nil {
				break
			}
		}
		_ = c.Close()
	}()
	c := d.client(t)
	var last error
	first := true
	for _, err := range c.Watch(t.Context(), messages.Topic{}, 0) {
		if first { // hold still until the flood is over
			first = false
			_, _ = c.Ask(t.Context(), messages.GetCrew{})
		}
		last = err
	}
	wantCode(t, last, messages.CodeInternal, "more than it was asked")
}
