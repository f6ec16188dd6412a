package local_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kurogo/messages"
	"kurogo/transport/local"
)

// Eight verbs find no owner at the same moment. One of them starts it, and all
// of them talk to that one.
func TestOfAllWhoRaceOneStarts(t *testing.T) {
	dir := private(t)
	path := filepath.Join(dir, "k.sock")
	var started atomic.Int32
	ladder := local.Ladder{
		Dial: func(ctx context.Context) (*local.Client, error) { return local.Dial(ctx, path, us) },
		Lock: filepath.Join(dir, "start.lock"),
		Spawn: func(context.Context) error {
			started.Add(1)
			l, err := local.Listen(path)
			if err == nil {
				open(t, l, house{ask: tells}, local.Options{})
			}
			return err
		},
	}
	var verbs sync.WaitGroup
	for range 8 {
		verbs.Go(func() {
			c, err := local.ConnectOrStart(t.Context(), ladder)
			if err != nil {
				t.Errorf("connect: %v", err)
				return
			}
			defer c.Close()
			if _, err := c.Ask(t.Context(), messages.GetTask{Task: "t1"}); err != nil {
				t.Errorf("ask: %v", err)
			}
		})
	}
	verbs.Wait()
	if n := started.Load(); n != 1 {
		t.Errorf("%d owners were started", n)
	}
}

// climb plays one ladder: what each dial says in turn, and each spawn.
func climb(t *testing.T, dials []error, spawn error) (spawned int, c *local.Client, err error) {
	t.Helper()
	d, _, _ := serve(t, house{ask: tells}, local.Options{})
	c, err = local.ConnectOrStart(t.Context(), local.Ladder{
		Lock: filepath.Join(t.TempDir(), "start.lock"),
		Dial: func(context.Context) (*local.Client, error) {
			if len(dials) == 0 {
				t.Fatal("dialled once too often")
			}
			said := dials[0]
			dials = dials[1:]
			if said != nil {
				return nil, said
			}
			return d.client(t), nil
		},
		Spawn: func(context.Context) error { spawned++; return spawn },
	})
	if len(dials) > 0 {
		t.Errorf("%d dials were left", len(dials))
	}
	return spawned, c, err
}

func TestLadders(t *testing.T) {
	nobody := local.ErrNobody
	denied := messages.Errorf(messages.CodeDenied, "not yours")
	leaving := &messages.Error{Code: messages.CodeUnavailable, Message: "leaves now", RetryAfter: time.Second}
	for name, story := range map[string]struct {
		dials   []error
		spawn   error
		spawned int
		code    messages.Code
	}{
		"an owner is there":                    {[]error{nil}, nil, 0, ""},
		"an owner is started":                  {[]error{nobody, nobody, nil}, nil, 1, ""},
		"somebody else was faster":             {[]error{nobody, nil, nil}, nil, 0, ""},
		"the first owner falls at once":        {[]error{nobody, nobody, nobody, nobody, nobody, nil}, nil, 2, ""},
		"an older owner leaves":                {[]error{leaving, nobody, nobody, nil}, nil, 1, ""},
		"every owner falls":                    {[]error{nobody, nobody, nobody, nobody, nobody, nobody, nobody, nobody, nobody}, nil, 3, messages.CodeUnavailable},
		"a refusal is final":                   {[]error{denied}, nil, 0, messages.CodeDenied},
		"a refusal behind the lock is too":     {[]error{nobody, denied}, nil, 0, messages.CodeDenied},
		"an owner that cannot start is no use": {[]error{nobody, nobody}, messages.Errorf(messages.CodeInvalid, "kurogo.toml"), 1, messages.CodeInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				spawned, c, err := climb(t, story.dials, story.spawn)
				if spawned != story.spawned {
					t.Errorf("%d owners were spawned, want %d", spawned, story.spawned)
				}
				if story.code != "" {
					wantCode(t, err, story.code)
				} else if err != nil || c == nil {
					t.Errorf("connect: %v", err)
				}
			})
		})
	}
}

// Somebody holds the lock and does not get on with it: we wait so long and then
// name him. If we are called off before, we go.
func TestTheLockIsNotWaitedForForEver(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "start.lock")
	release, err := local.Lock(lock)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	ladder := local.Ladder{
		Lock:  lock,
		Dial:  func(context.Context) (*local.Client, error) { return nil, local.ErrNobody },
		Spawn: func(context.Context) error { t.Error("spawned without the lock"); return nil },
	}
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		_, err := local.ConnectOrStart(t.Context(), ladder)
		wantCode(t, err, messages.CodeConflict, "pid", lock)
		if waited := time.Since(began); waited != 10*time.Second {
			t.Errorf("waited %v", waited)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		_, err := local.ConnectOrStart(ctx, ladder)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("called off, it said %v", err)
		}
	})
}
