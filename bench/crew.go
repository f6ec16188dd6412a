package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"kurogo/actors"
	"kurogo/messages"
	"kurogo/stores/sqlite"
	"kurogo/supervisors"
)

var quiet = slog.New(slog.DiscardHandler)

// A house is a journal on the disk with a tree that lives on it, as cmd/kurogo
// opens it, without a socket.
type house struct {
	store *sqlite.Store
	tree  *supervisors.Tree
}

// openStore opens the journal of dir for a tree that is yet to start.
func openStore(ctx context.Context, dir string) (*house, error) {
	h := &house{tree: supervisors.New(actors.SystemClock{}, quiet)}
	var err error
	h.store, err = sqlite.Open(ctx, filepath.Join(dir, "kurogo.db"), sqlite.Options{
		Notify: func(n sqlite.Notice) { h.tree.Notify(n.Wakes, n.Interrupts, n.Due) },
	})
	return h, err
}

func (h *house) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	return errors.Join(h.tree.Stop(ctx), h.store.Close())
}

// names are n personas, all of whom answer to the user.
func names(n int) []messages.Address {
	out := make([]messages.Address, n)
	for i := range out {
		out[i] = messages.Address(fmt.Sprintf("persona_%d", i))
	}
	return out
}

func hierarchy(crew []messages.Address) messages.Hierarchy {
	h := messages.Hierarchy{}
	for _, name := range crew {
		h[name] = messages.Persona{Name: name, Driver: "rehearsal", ReportsTo: messages.User, Gather: messages.All}
	}
	return h
}

// cast is one of the hierarchy with the driver that plays it.
func (h *house) cast(of messages.Hierarchy, name messages.Address, driver messages.Driver) actors.Cast {
	return actors.Cast{
		Spec: of[name], Hierarchy: of, Limits: messages.DefaultLimits(), Store: h.store.ID(),
		Timeouts: actors.Timeouts{ProcessStart: 30 * time.Second, MessageReceive: time.Minute, Task: 5 * time.Minute, Idle: 2 * time.Minute, Grace: 5 * time.Second},
		Backoff:  actors.Backoff{Initial: time.Second, Max: time.Minute, Factor: 2, Tries: 5},
		Brief:    messages.Spec{Language: "en", StartTimeout: 30 * time.Second, Grace: 5 * time.Second},
		Tools:    []messages.Tool{actors.SendMessage()},
		Journal:  h.store, Clock: actors.SystemClock{}, NewID: newMessageID, Log: quiet,
		Life: actors.Lives(driver, quiet),
	}
}

func newMessageID() messages.MessageID { return messages.MessageID(messages.NewID()) }

// allHere waits until every persona has answered. One that is not born yet is
// asked again.
func (h *house) allHere(ctx context.Context, crew []messages.Address) error {
	for _, name := range crew {
		for {
			_, err := h.tree.Root().RequestFuture(h.tree.Home(name), messages.GetMember{Name: name}, time.Minute).Result()
			if err == nil {
				break
			}
			if !errors.Is(err, actor.ErrDeadLetter) || ctx.Err() != nil {
				return fmt.Errorf("ask %s: %w", name, err)
			}
			time.Sleep(100 * time.Microsecond)
		}
	}
	return nil
}
