package local_test

import (
	"bufio"
	"context"
	"iter"
	"net"
	"strings"
	"sync"
	"testing"

	"kurogo/messages"
	"kurogo/transport/local"
)

var us = local.Hello{Version: "v1", Schema: 3}

// A house answers as the test says; what the test leaves out is never asked.
type house struct {
	ask   func(context.Context, messages.Message) (messages.Message, error)
	watch func(context.Context, messages.Topic, int64) iter.Seq2[messages.Event, error]
}

func (h house) Ask(ctx context.Context, m messages.Message) (messages.Message, error) {
	return h.ask(ctx, m)
}

func (h house) Watch(ctx context.Context, t messages.Topic, since int64) iter.Seq2[messages.Event, error] {
	return h.watch(ctx, t, since)
}

// tells answers every GetTask with the task that it names.
func tells(_ context.Context, m messages.Message) (messages.Message, error) {
	return messages.Task{ID: m.(messages.GetTask).Task, Status: messages.Running}, nil
}

// tape has events 1 to last and then waits for more that never come.
func tape(last int64) func(context.Context, messages.Topic, int64) iter.Seq2[messages.Event, error] {
	return func(ctx context.Context, topic messages.Topic, since int64) iter.Seq2[messages.Event, error] {
		return func(yield func(messages.Event, error) bool) {
			for seq := since + 1; seq <= last; seq++ {
				e := messages.Event{Seq: seq, Kind: messages.TaskUpdated, Task: "t1", Root: "t1"}
				if topic.Wants(e) && !yield(e, nil) {
					return
				}
			}
			<-ctx.Done()
		}
	}
}

// A door is a listener in memory, so that virtual time can pass through it.
type door struct {
	in    chan net.Conn
	shut  chan struct{}
	close func()
}

func newDoor() *door {
	d := &door{in: make(chan net.Conn), shut: make(chan struct{})}
	d.close = sync.OnceFunc(func() { close(d.shut) })
	return d
}

func (d *door) Accept() (net.Conn, error) {
	select {
	case c := <-d.in:
		return c, nil
	case <-d.shut:
		return nil, net.ErrClosed
	}
}

func (d *door) Close() error   { d.close(); return nil }
func (d *door) Addr() net.Addr { return &net.UnixAddr{Name: "memory", Net: "unix"} }

func (d *door) knock(t *testing.T) net.Conn {
	t.Helper()
	ours, theirs := net.Pipe()
	select {
	case d.in <- theirs:
	case <-d.shut:
		t.Fatal("the door is shut")
	}
	t.Cleanup(func() { _ = ours.Close() })
	return ours
}

func (d *door) client(t *testing.T) *local.Client {
	t.Helper()
	c, err := local.Connect(t.Context(), d.knock(t), us)
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// serve lets h answer behind a door until the test, or stop, ends it. served
// gives what Serve returned.
func serve(t *testing.T, h local.House, o local.Options) (d *door, stop func(), served func() error) {
	t.Helper()
	d = newDoor()
	stop, served = open(t, d, h, o)
	return d, stop, served
}

func open(t *testing.T, l net.Listener, h local.House, o local.Options) (stop func(), served func() error) {
	t.Helper()
	if o.Hello == (local.Hello{}) {
		o.Hello = us
	}
	ctx, stop := context.WithCancel(context.Background())
	over := make(chan struct{})
	var err error
	go func() {
		defer close(over)
		err = local.Serve(ctx, l, h, o)
	}()
	served = func() error { <-over; return err }
	t.Cleanup(func() { stop(); _ = served() })
	return stop, served
}

// A stranger speaks to the server line by line, and not always well.
type stranger struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
}

func (d *door) stranger(t *testing.T) *stranger {
	t.Helper()
	c := d.knock(t)
	return &stranger{t, c, bufio.NewReader(c)}
}

// greeted is a stranger who has said hello.
func (d *door) greeted(t *testing.T) *stranger {
	t.Helper()
	s := d.stranger(t)
	s.says(`{"verb":"hello","hello":{"version":"v1","schema":3}}` + "\n")
	s.hears(`"verb":"hello"`)
	return s
}

// says writes in the background: the server may hang up before the end.
func (s *stranger) says(text string) {
	go func() { _, _ = s.conn.Write([]byte(text)) }()
}

func (s *stranger) hears(parts ...string) {
	s.t.Helper()
	line, err := s.in.ReadString('\n')
	if err != nil {
		s.t.Fatalf("the server said nothing (%v), want %q", err, parts)
	}
	for _, part := range parts {
		if !strings.Contains(line, part) {
			s.t.Errorf("heard %s, want %s in it", line, part)
		}
	}
}

// isDropped reads until the server has hung up.
func (s *stranger) isDropped() {
	s.t.Helper()
	if line, err := s.in.ReadString('\n'); err == nil {
		s.t.Errorf("heard %s, want to be hung up on", line)
	}
}

func wantCode(t *testing.T, err error, code messages.Code, parts ...string) {
	t.Helper()
	if !messages.IsCode(err, code) {
		t.Fatalf("error %v, want code %s", err, code)
	}
	for _, part := range parts {
		if !strings.Contains(messages.AsError(err).Error(), part) {
			t.Errorf("error %q does not say %q", messages.AsError(err), part)
		}
	}
}
