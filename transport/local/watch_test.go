package local_test

import (
	"context"
	"errors"
	"iter"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"kurogo/messages"
	"kurogo/transport/local"
)

// A watcher sees every event once and in order, however often it breaks off:
// it takes up the thread at the last event it saw.
func TestWatchIsResumedBySince(t *testing.T) {
	const last = 3*local.Window + 5
	d, _, _ := serve(t, house{watch: tape(last)}, local.Options{})
	c := d.client(t)
	var since int64
	for since < last {
		seen := 0
		for e, err := range c.Watch(t.Context(), messages.Topic{}, since) {
			if err != nil || e.Seq != since+1 {
				t.Fatalf("after %d came %d, %v", since, e.Seq, err)
			}
			since = e.Seq
			if seen++; seen == 100 || since == last {
				break
			}
		}
	}
}

// The topic is the server's business: nothing else crosses the socket.
func TestWatchKeepsToItsTopic(t *testing.T) {
	got := make(chan messages.Topic, 1)
	d, _, _ := serve(t, house{watch: func(_ context.Context, topic messages.Topic, _ int64) iter.Seq2[messages.Event, error] {
		got <- topic
		return func(func(messages.Event, error) bool) {}
	}}, local.Options{})
	want := messages.Topic{Task: "t1", Kinds: []messages.EventKind{messages.TaskUpdated}}
	for e, err := range d.client(t).Watch(t.Context(), want, 4) {
		t.Errorf("an ended watch gave %v, %v", e, err)
	}
	if topic := <-got; topic.Task != want.Task || len(topic.Kinds) != 1 || topic.Kinds[0] != want.Kinds[0] {
		t.Errorf("the house heard %v, want %v", topic, want)
	}
}

// A watcher that takes its time holds back nobody else. After the patience it
// is told so by name, with the place where it can go on.
func TestASlowWatcherIsDroppedByName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, _, _ := serve(t, house{ask: tells, watch: tape(1000)}, local.Options{Patience: time.Minute})
		c := d.client(t)
		var last int64
		var dropped error
		for e, err := range c.Watch(t.Context(), messages.Topic{}, 0) {
			if err != nil {
				dropped = err
				break
			}
			last = e.Seq
			if last == 1 {
				<-time.After(2 * time.Minute)
				if _, err := c.Ask(t.Context(), messages.GetTask{Task: "t1"}); err != nil {
					t.Errorf("beside the slow watcher: %v", err)
				}
			}
		}
		if last != local.Window {
			t.Errorf("%d events were sent on credit, want %d", last, local.Window)
		}
		wantCode(t, dropped, messages.CodeBusy, "took no event for 1m0s", "since "+strconv.FormatInt(last, 10))
	})
}

// A watcher that goes leaves nothing behind in the house.
func TestWatchEndsWithItsWatcher(t *testing.T) {
	ended := make(chan struct{})
	d, _, _ := serve(t, house{watch: func(ctx context.Context, topic messages.Topic, since int64) iter.Seq2[messages.Event, error] {
		return func(yield func(messages.Event, error) bool) {
			defer close(ended)
			tape(1)(ctx, topic, since)(yield)
		}
	}}, local.Options{})
	for range d.client(t).Watch(t.Context(), messages.Topic{}, 0) {
		break
	}
	<-ended
}

// Errors inside the house reach the watcher whole; a bug too, and neither
// costs the connection.
func TestAHouseWhoseWatchFails(t *testing.T) {
	yields := func(events ...error) iter.Seq2[messages.Event, error] {
		return func(yield func(messages.Event, error) bool) {
			for _, err := range events {
				if err == nil {
					panic("a bug")
				}
				yield(messages.Event{}, err)
			}
		}
	}
	for name, want := range map[string]struct {
		err  error
		code messages.Code
		says string
	}{
		"it says why": {messages.Invalid("since", "999 is ahead of the journal"), messages.CodeInvalid, "since: 999"},
		"it breaks":   {errors.New("disk on fire"), messages.CodeInternal, "disk on fire"},
		"it panics":   {nil, messages.CodeInternal, "a bug"},
	} {
		t.Run(name, func(t *testing.T) {
			d, _, _ := serve(t, house{ask: tells, watch: func(context.Context, messages.Topic, int64) iter.Seq2[messages.Event, error] {
				return yields(want.err)
			}}, local.Options{})
			c := d.client(t)
			var got error
			for _, err := range c.Watch(t.Context(), messages.Topic{}, 0) {
				got = err
			}
			wantCode(t, got, want.code, want.says)
			if _, err := c.Ask(t.Context(), messages.GetTask{Task: "t1"}); err != nil {
				t.Errorf("after the watch: %v", err)
			}
		})
	}
}

func TestWatchEndsWithItsContext(t *testing.T) {
	d, _, _ := serve(t, house{watch: tape(1)}, local.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var got error
	for _, err := range d.client(t).Watch(ctx, messages.Topic{}, 0) {
		got = err
		cancel()
	}
	if !errors.Is(got, context.Canceled) {
		t.Errorf("the last thing it said was %v", got)
	}
}
