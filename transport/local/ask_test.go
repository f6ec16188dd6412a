package local_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kurogo/messages"
	"kurogo/transport/local"
)

// What the house answers comes out at the other end, and so does every part of
// an error: the edge translates codes, remedies and waits that it never made.
func TestAskCarriesAnswersAndErrorsWhole(t *testing.T) {
	refusal := &messages.Error{
		Code: messages.CodeBusy, Field: "to", Message: "the inbox is full",
		Remedy: "wait", RetryAfter: 3 * time.Second,
	}
	d, _, _ := serve(t, house{ask: func(_ context.Context, m messages.Message) (messages.Message, error) {
		if m == messages.Message(messages.GetStatus{}) {
			return messages.Status{Version: "v1", Pid: 7}, nil
		}
		return nil, fmt.Errorf("accept: %w", refusal)
	}}, local.Options{})
	c := d.client(t)

	got, err := c.Ask(t.Context(), messages.GetStatus{})
	if want := (messages.Status{Version: "v1", Pid: 7}); err != nil || got != messages.Message(want) {
		t.Fatalf("got %v, %v, want %v", got, err, want)
	}
	_, err = c.Ask(t.Context(), messages.Submit{})
	var e *messages.Error
	if !errors.As(err, &e) || !reflect.DeepEqual(e, refusal) {
		t.Fatalf("got %#v, want %#v", err, refusal)
	}
	if c.Server() != us {
		t.Errorf("server is %v, want %v", c.Server(), us)
	}
}

// Two hundred questions are on one real socket at once, and all are being
// answered before the first is. Everybody hears his own answer.
func TestTwoHundredAskAtOnce(t *testing.T) {
	const n = 200
	var inside sync.WaitGroup
	inside.Add(n)
	path := filepath.Join(t.TempDir(), "s", "k.sock")
	l, err := local.Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	open(t, l, house{ask: func(ctx context.Context, m messages.Message) (messages.Message, error) {
		inside.Done()
		inside.Wait()
		return tells(ctx, m)
	}}, local.Options{})
	c, err := local.Dial(t.Context(), path, us)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()

	var asking sync.WaitGroup
	for i := range n {
		asking.Go(func() {
			id := messages.TaskID(fmt.Sprint("t", i))
			got, err := c.Ask(t.Context(), messages.GetTask{Task: id})
			if err != nil || got.(messages.Task).ID != id {
				t.Errorf("asked for %s, got %v, %v", id, got, err)
			}
		})
	}
	asking.Wait()
}

// A question that is no longer wanted ends inside the house too: when the
// asker gives up, and when his whole connection goes.
func TestAskEndsWithItsAsker(t *testing.T) {
	entered, left := make(chan struct{}), make(chan error, 1)
	waits := house{ask: func(ctx context.Context, _ messages.Message) (messages.Message, error) {
		entered <- struct{}{}
		<-ctx.Done()
		left <- context.Cause(ctx)
		return nil, ctx.Err()
	}}
	for name, leave := range map[string]func(cancel func(), c *local.Client){
		"the asker gives up":  func(cancel func(), _ *local.Client) { cancel() },
		"the connection goes": func(_ func(), c *local.Client) { _ = c.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			d, _, _ := serve(t, waits, local.Options{})
			c := d.client(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			asked := make(chan error, 1)
			go func() { _, err := c.Ask(ctx, messages.GetCrew{}); asked <- err }()
			<-entered
			leave(cancel, c)
			if err := <-asked; err == nil {
				t.Error("the asker got an answer")
			}
			if cause := <-left; !strings.Contains(cause.Error(), "the client") {
				t.Errorf("the house was told %v", cause)
			}
		})
	}
}

// The house may lie, or fall: that costs one answer, never the connection.
func TestAHouseThatLies(t *testing.T) {
	answers := map[messages.TaskID]func() (messages.Message, error){
		"nothing":        func() (messages.Message, error) { return nil, nil },
		"no word":        func() (messages.Message, error) { return messages.Truncated{}, nil },
		"a bare error":   func() (messages.Message, error) { return nil, errors.New("disk on fire") },
		"it panics":      func() (messages.Message, error) { panic("a bug") },
		"nine megabytes": func() (messages.Message, error) { return messages.Task{Content: strings.Repeat("x", 9<<20)}, nil },
		"the truth":      func() (messages.Message, error) { return messages.Done{}, nil },
	}
	d, _, _ := serve(t, house{ask: func(_ context.Context, m messages.Message) (messages.Message, error) {
		return answers[m.(messages.GetTask).Task]()
	}}, local.Options{})
	c := d.client(t)
	for _, lie := range []struct {
		task messages.TaskID
		code messages.Code
		says string
	}{
		{"nothing", messages.CodeInternal, "answered with nothing"},
		{"no word", messages.CodeInternal, "unknown kind"},
		{"a bare error", messages.CodeInternal, "disk on fire"},
		{"it panics", messages.CodeInternal, "a bug"},
		{"nine megabytes", messages.CodeInvalid, "frame"},
	} {
		_, err := c.Ask(t.Context(), messages.GetTask{Task: lie.task})
		wantCode(t, err, lie.code, lie.says)
	}
	if _, err := c.Ask(t.Context(), messages.GetTask{Task: "the truth"}); err != nil {
		t.Errorf("after all the lies: %v", err)
	}
}

// Too many questions on one connection, or too many connections, are busy by
// name; what was there before goes on.
func TestLimitsAreBusy(t *testing.T) {
	release := make(chan struct{})
	entered := make(chan struct{})
	d, _, _ := serve(t, house{ask: func(context.Context, messages.Message) (messages.Message, error) {
		entered <- struct{}{}
		<-release
		return messages.Done{}, nil
	}}, local.Options{Requests: 1, Conns: 1})
	c := d.client(t)
	first := make(chan error, 1)
	go func() { _, err := c.Ask(t.Context(), messages.GetCrew{}); first <- err }()
	<-entered
	_, err := c.Ask(t.Context(), messages.GetStatus{})
	wantCode(t, err, messages.CodeBusy, "1 requests")
	_, err = local.Connect(t.Context(), d.knock(t), us)
	wantCode(t, err, messages.CodeBusy, "1 connections")
	close(release)
	if err := <-first; err != nil {
		t.Errorf("the first question: %v", err)
	}
}

// An asker that never reads is hung up on after the write time-out, and the
// house is told.
func TestADeafClientIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, _, _ := serve(t, house{ask: func(context.Context, messages.Message) (messages.Message, error) {
			return messages.Done{}, nil
		}}, local.Options{WriteTimeout: 7 * time.Second})
		s := d.greeted(t)
		began := time.Now()
		s.says(`{"id":1,"verb":"ask","word":{"kind":"get_crew","body":{}}}` + "\n")
		synctest.Wait() // the answer is stuck in the pipe
		<-time.After(8 * time.Second)
		s.isDropped()
		if waited := time.Since(began); waited != 8*time.Second {
			t.Errorf("dropped only after %v", waited)
		}
	})
}
