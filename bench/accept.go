package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"kurogo/messages"
)

const (
	senders     = 32
	acceptEach  = 100 // of one sender in one round; all rounds together stay below limits.inbox_depth
	acceptLimit = 0.6
)

// body is what every message says: 500 bytes.
var body = strings.Repeat("x", 500)

// accept lets 32 senders each commit for themselves, and beside it writes the
// same rows with nothing but SQLite.
func (b *bench) accept(ctx context.Context) error {
	crew := names(senders)
	dir, err := b.subdir("accept")
	if err != nil {
		return err
	}
	h, err := openStore(ctx, dir)
	if err != nil {
		return err
	}
	defer h.store.Close()
	if err := h.enlist(ctx, crew); err != nil {
		return err
	}
	floor, err := b.openBare(ctx, crew)
	if err != nil {
		return err
	}
	defer floor.close()
	var ours, theirs, share []float64
	for range rounds {
		least, err := together(acceptEach, floor.group(acceptRows))
		if err != nil {
			return err
		}
		took, err := together(acceptEach, func(s int) error { return h.submit(ctx, crew[s]) })
		if err != nil {
			return err
		}
		n := senders * acceptEach
		ours, theirs, share = append(ours, perSecond(n, took)), append(theirs, perSecond(n, least)), append(share, least.Seconds()/took.Seconds())
	}
	b.table.judge("accept, 32 senders", fmt.Sprintf("%s = %.0f %% of bare SQLite's %s", rate(median(ours)), 100*median(share), rate(median(theirs))),
		fmt.Sprintf("≥ %.0f %%", 100*acceptLimit), median(share) >= acceptLimit)
	return nil
}

// together lets all senders do something each times, and times the whole.
func together(each int, do func(sender int) error) (time.Duration, error) {
	var all sync.WaitGroup
	errs := make([]error, senders)
	began := time.Now()
	for s := range senders {
		all.Go(func() {
			for range each {
				if errs[s] = do(s); errs[s] != nil {
					return
				}
			}
		})
	}
	all.Wait()
	return time.Since(began), errors.Join(errs...)
}

func (h *house) enlist(ctx context.Context, crew []messages.Address) error {
	list := messages.Enlist{Now: time.Now()}
	for _, name := range crew {
		list.Crew = append(list.Crew, messages.Enlisted{Name: name, ReportsTo: messages.User, Gather: messages.All})
	}
	_, err := h.store.Commit(ctx, list)
	return err
}

// submit asks a persona for something, in the name of the user.
func (h *house) submit(ctx context.Context, to messages.Address) error {
	m := messages.CCMessage{ID: newMessageID(), From: messages.User, To: to, Type: messages.TaskRequest, Content: body}
	_, err := h.store.Commit(ctx, messages.Accept{Message: m, Now: time.Now()})
	return err
}
