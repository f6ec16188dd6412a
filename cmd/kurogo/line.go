package main

import (
	"context"
	"iter"
	"sync"

	"kurogo/messages"
	"kurogo/transport/local"
)

// A line is a connection to the owner that is made anew when it breaks: an owner
// that fell, or was updated, is started again by the next who asks. It is for
// verbs that stay; the others connect once.
type line struct {
	p *program

	mu     sync.Mutex
	client *local.Client
}

// reach is the connection, a new one where there is none.
func (l *line) reach(ctx context.Context) (*local.Client, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.client != nil {
		return l.client, nil
	}
	client, err := l.p.connect(ctx)
	if err == nil {
		l.client = client
	}
	return client, err
}

// broken forgets a connection, unless another has taken its place.
func (l *line) broken(client *local.Client) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.client == client {
		l.client = nil
		_ = client.Close()
	}
}

// hungUp reports whether err says that the connection has ended, and not that
// the owner refused.
func hungUp(client *local.Client, err error) bool {
	return messages.IsCode(err, messages.CodeUnavailable) && client.Ended()
}

// Ask asks once more on a new connection when the old one breaks: what changes
// something carries its own id or key, or is told as it stands.
func (l *line) Ask(ctx context.Context, m messages.Message) (messages.Message, error) {
	for again := false; ; again = true {
		client, err := l.reach(ctx)
		if err != nil {
			return nil, err
		}
		answer, err := client.Ask(ctx, m)
		if err == nil || !hungUp(client, err) {
			return answer, err
		}
		l.broken(client)
		if again || !repeatable(m) {
			return nil, err
		}
	}
}

// repeatable reports whether asking twice is asking once.
func repeatable(m messages.Message) bool {
	switch m := m.(type) {
	case messages.Submit:
		return m.Message.ID != "" || m.Key != ""
	case messages.CreateGroup:
		return m.Key != ""
	case messages.RunAgents:
		return m.Key != ""
	case messages.StopHouse:
		return false
	}
	return true
}

// Watch goes on behind the last event it had when the connection breaks.
func (l *line) Watch(ctx context.Context, t messages.Topic, since int64) iter.Seq2[messages.Event, error] {
	return func(yield func(messages.Event, error) bool) {
		for again := false; ; again = true {
			client, err := l.reach(ctx)
			if err != nil {
				yield(messages.Event{}, err)
				return
			}
			var fault error
			for e, err := range client.Watch(ctx, t, since) {
				if err != nil {
					fault = err
					break
				}
				since, again = e.Seq, false
				if !yield(e, nil) {
					return
				}
			}
			if fault == nil {
				return
			}
			if !hungUp(client, fault) || again {
				yield(messages.Event{}, fault)
				return
			}
			l.broken(client)
		}
	}
}

func (l *line) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.client != nil {
		_ = l.client.Close()
	}
}
