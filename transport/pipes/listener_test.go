package pipes_test

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"kurogo/transport/pipes"
)

func TestWhoDialsIsAccepted(t *testing.T) {
	l := pipes.Listen()
	said := make(chan string, 1)
	go func() {
		served, err := l.Accept()
		if err != nil {
			return
		}
		b, _ := io.ReadAll(served)
		said <- string(b)
	}()
	c, err := l.Dial(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(c, "hello")
	_ = c.Close()
	if got := <-said; got != "hello" {
		t.Errorf("it heard %q", got)
	}
}

// Virtual time passes while nobody accepts, and who dials may give up.
func TestWhomNobodyAcceptsGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := pipes.Listen()
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		began := time.Now()
		if _, err := l.Dial(ctx, "", ""); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Hour {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}

func TestAClosedListenerEndsBothSides(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := pipes.Listen()
		ended := make(chan error, 1)
		go func() { _, err := l.Accept(); ended <- err }()
		synctest.Wait() // it waits
		_, _ = l.Close(), l.Close()
		if err := <-ended; !errors.Is(err, net.ErrClosed) {
			t.Errorf("accept: %v", err)
		}
		if _, err := l.Dial(t.Context(), "", ""); !errors.Is(err, net.ErrClosed) {
			t.Errorf("dial: %v", err)
		}
	})
}
