package local_test

import (
	"errors"
	"net"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"kurogo/messages"
	"kurogo/transport/local"
)

// A worn door fails a few times before it opens.
type worn struct {
	*door
	faults []error
}

func (w *worn) Accept() (net.Conn, error) {
	if len(w.faults) > 0 {
		err := w.faults[0]
		w.faults = w.faults[1:]
		return nil, err
	}
	return w.door.Accept()
}

// Too many open files are a bad moment, not the end.
func TestServeOutlivesAFullFileTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &worn{newDoor(), []error{syscall.EMFILE, syscall.ENFILE}}
		began := time.Now()
		open(t, w, house{ask: tells}, local.Options{})
		if _, err := w.client(t).Ask(t.Context(), messages.GetTask{Task: "t1"}); err != nil {
			t.Error(err)
		}
		if waited := time.Since(began); waited != 200*time.Millisecond {
			t.Errorf("it tried again after %v", waited)
		}
	})
}

// A listener that breaks ends the service, and says why.
func TestServeEndsWithItsListener(t *testing.T) {
	w := &worn{newDoor(), []error{errors.New("the socket melted")}}
	_, served := open(t, w, house{}, local.Options{})
	if err := served(); err == nil || !strings.Contains(err.Error(), "the socket melted") {
		t.Errorf("serve: %v", err)
	}
	if _, err := w.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Error("the listener is still open")
	}
}

// Whoever keeps the house open for its guests hears of each that comes or goes.
func TestPresence(t *testing.T) {
	var mu sync.Mutex
	var seen []int
	d, stop, served := serve(t, house{}, local.Options{Presence: func(n int) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, n)
	}})
	d.client(t)
	d.client(t)
	stop()
	if err := served(); err != nil {
		t.Error(err)
	}
	if want := []int{1, 2, 1, 0}; !slices.Equal(seen, want) {
		t.Errorf("heard %v, want %v", seen, want)
	}
}

// A question that fits into no frame is refused here; the connection lives on.
func TestAQuestionThatIsTooLong(t *testing.T) {
	d, _, _ := serve(t, house{ask: tells}, local.Options{})
	c := d.client(t)
	_, err := c.Ask(t.Context(), messages.Submit{Key: strings.Repeat("k", local.FrameBytes)})
	wantCode(t, err, messages.CodeInvalid, "do not fit into a frame")
	if _, err := c.Ask(t.Context(), messages.GetTask{Task: "t1"}); err != nil {
		t.Error(err)
	}
	if _, err := c.Ask(t.Context(), messages.Truncated{}); !errors.Is(err, messages.ErrUnknownKind) {
		t.Errorf("what is no word: %v", err)
	}
}

// The largest message that the limits let in fits, were every byte of it to be
// escaped.
func TestTheLargestMessageFits(t *testing.T) {
	l := messages.DefaultLimits()
	line, err := messages.Encode(messages.Submit{Message: messages.CCMessage{
		Content: strings.Repeat("\x01", l.MessageBytes), Thinking: strings.Repeat("<", l.ThinkingBytes),
	}})
	if err != nil || len(line) > local.FrameBytes-1024 {
		t.Errorf("%d bytes, %v", len(line), err)
	}
}
