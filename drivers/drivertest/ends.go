package drivertest

import (
	"context"
	"sync"
	"testing"
	"time"

	"kurogo/messages"
)

func unread(_ *testing.T, l *life) {
	l.ready().send()
	l.full()
	exit := l.hurry()
	l.wants(exit, messages.ClassKilled)
	if got := l.ended(); got != exit {
		l.t.Errorf("the event says %+v, Stop said %+v", got, exit)
	}
}

func forgotten(_ *testing.T, l *life) {
	l.ready().send()
	l.full()
	l.hurry() // what is left is the exam's to find
}

func crash(_ *testing.T, l *life) {
	l.ready().send()
	l.until(messages.DriverSaid)
	exit := l.ended()
	l.wants(exit, messages.ClassCrash)
	if l.session.Pid() != 0 && exit.Code != Status {
		l.t.Errorf("exit %+v", exit)
	}
}

func quit(_ *testing.T, l *life) {
	l.onlyLong().ready().send()
	l.until(messages.DriverSaid)
	l.wants(l.ended(), messages.ClassCrash)
}

func leave(_ *testing.T, l *life) { l.wants(l.onlyLong().start().ended(), messages.ClassCrash) }

func mute(_ *testing.T, l *life) {
	l.onlyLong().spec.StartTimeout = 50 * time.Millisecond
	l.wants(l.start().ended(), messages.ClassTimeout)
}

func cancelledStart(t *testing.T, l *life) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if s, err := l.driver.Start(ctx, l.spec); err == nil {
		s.Stop(ctx)
		t.Error("it began")
	}
	l.nobodyLeft()
}

func outliveStart(t *testing.T, l *life) {
	ctx, cancel := context.WithCancel(t.Context())
	s, err := l.driver.Start(ctx, l.spec)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	l.session = s
	t.Cleanup(func() { l.hurry() })
	l.next(messages.DriverReady)
	l.spoken(l.send())
}

func stopIdle(t *testing.T, l *life) {
	l.ready().spoken(l.send())
	exit := l.session.Stop(t.Context())
	l.wants(exit, messages.ClassNone)
	l.ended()
}

func stopBusy(t *testing.T, l *life) {
	l.ready().send()
	l.until(messages.DriverSaid)
	l.wants(l.session.Stop(t.Context()), messages.ClassKilled)
	l.ended()
}

func stopDeaf(t *testing.T, l *life) {
	l.spec.Grace = 50 * time.Millisecond
	l.ready().send()
	l.until(messages.DriverSaid)
	exit := l.session.Stop(t.Context())
	l.wants(exit, messages.ClassKilled)
	if l.session.Pid() != 0 && exit.Signal != "SIGKILL" {
		t.Errorf("the deaf heard something: %+v", exit)
	}
	l.ended()
}

func hurry(_ *testing.T, l *life) {
	l.ready().send()
	l.until(messages.DriverSaid)
	l.wants(l.hurry(), messages.ClassKilled)
	l.ended()
}

func stopTogether(t *testing.T, l *life) {
	l.ready().send()
	l.until(messages.DriverSaid)
	exits := make([]messages.Exit, 8)
	var wg sync.WaitGroup
	for i := range exits {
		wg.Go(func() { exits[i] = l.session.Stop(t.Context()) })
	}
	wg.Wait()
	for _, e := range exits {
		if e != exits[0] {
			t.Errorf("two answers: %+v and %+v", e, exits[0])
		}
	}
	l.ended()
}

func sendToDead(t *testing.T, l *life) {
	l.ready().send()
	l.ended()
	if err := l.session.Send(t.Context(), l.turn()); err == nil {
		t.Error("a turn began")
	}
	if err := l.session.Answer(t.Context(), messages.ToolResult{ID: "1"}); err == nil {
		t.Error("a tool was answered")
	}
}
