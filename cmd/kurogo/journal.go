package main

import (
	"context"
	"os"

	"kurogo/stores/sqlite"
	"kurogo/supervisors"
)

// exitJournal ends a process whose journal could not be written to the disk:
// restarting is the tested way to find out what is there.
const exitJournal = 70

// openJournal opens the journal, of which the tree hears whom a change wakes.
func (h *house) openJournal(ctx context.Context, tree *supervisors.Tree) (err error) {
	h.store, err = sqlite.Open(ctx, h.site.journal(), sqlite.Options{
		Limits: h.cfg.MessageLimits(),
		Notify: func(n sqlite.Notice) { tree.Notify(n.Wakes, n.Interrupts, n.Due) },
		Fatal: func(err error) {
			h.log.Error("the disk failed under the journal", "err", err)
			os.Exit(exitJournal)
		},
	})
	return err
}
