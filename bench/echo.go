package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"kurogo/drivers/process"
	"kurogo/drivers/rehearsal"
	"kurogo/messages"
)

// echoVerb makes this program the smallest agent there is: it speaks the words
// of a rehearsal player, in a process of its own behind pipes, and ends each turn
// with what it was told.
const echoVerb = "echo-agent"

func echo(in io.Reader, out io.Writer) error {
	lines, session := process.NewReader(in, 1<<20), messages.NewID()
	for {
		line, err := lines.Next()
		if err != nil {
			return nil //nolint:nilerr // whoever spoke to us has left
		}
		var heard struct {
			Type, ID string
			Messages []struct{ Content string }
		}
		if err := json.Unmarshal(line.Text, &heard); err != nil {
			return err
		}
		said := map[string]string{"type": "ready"}
		if len(heard.Messages) > 0 {
			said = map[string]string{"type": "turn_end", "turn": heard.ID, "text": heard.Messages[0].Content, "session": session, "border": heard.ID}
		}
		b, err := json.Marshal(said)
		if err != nil {
			return err
		}
		if _, err := out.Write(append(b, '\n')); err != nil {
			return err
		}
	}
}

// echoDriver starts echoes. One thread is enough for each of them.
func echoDriver() (messages.Driver, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	return rehearsal.New(rehearsal.Options{Command: []string{self, echoVerb}, Env: map[string]string{"GOMAXPROCS": "1"}}), nil
}

// A metronome lets no turn go to its agent before everybody is ready, and after
// that none before its time.
type metronome struct {
	every time.Duration // between two turns of one persona; 0 = at once
	ready sync.WaitGroup
	start chan struct{} // closed when all are ready
	began time.Time     // may be read after that
}

func newMetronome(personas int, every time.Duration) *metronome {
	m := &metronome{every: every, start: make(chan struct{})}
	m.ready.Add(personas)
	go func() {
		m.ready.Wait()
		m.began = time.Now()
		close(m.start)
	}()
	return m
}

// slot is when a turn should go, however late its persona is: who falls behind
// must not be forgiven the wait.
func (m *metronome) slot(offset time.Duration, turn int) time.Time {
	return m.began.Add(offset + time.Duration(turn)*m.every)
}

// A timed driver starts sessions that keep time.
type timed struct {
	messages.Driver
	metronome *metronome
	offset    time.Duration
}

func (d timed) Start(ctx context.Context, s messages.Spec) (messages.Session, error) {
	session, err := d.Driver.Start(ctx, s)
	if err != nil {
		return nil, err
	}
	return &timedSession{Session: session, timed: d}, nil
}

type timedSession struct {
	messages.Session
	timed
	turns int
}

func (s *timedSession) Send(ctx context.Context, t messages.Turn) error {
	if s.turns == 0 {
		s.metronome.ready.Done()
		<-s.metronome.start
	}
	if s.metronome.every > 0 {
		time.Sleep(time.Until(s.metronome.slot(s.offset, s.turns)))
	}
	s.turns++
	return s.Session.Send(ctx, t)
}
