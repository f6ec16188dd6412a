package process

import (
	"fmt"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

var adopts atomic.Bool

// Adopt makes this program the parent of every orphan among its descendants, so
// that a sweep finds and reaps them. The program that owns the lives calls it
// once, before the first. From then on no other package may start processes.
func Adopt() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("adopt orphans: %w", err)
	}
	adopts.Store(true)
	return nil
}
