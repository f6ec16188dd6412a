package inquire

import (
	"fmt"
	"os"
	"sync"
)

// A Finding is what was found out about the file at a path. It holds until the
// file changes.
type Finding[F any] struct {
	mu    sync.Mutex
	stamp string
	found F
}

// Of returns what was found out about the file, or finds it out anew. It is asked
// by one at a time, and a failure is not kept.
func (f *Finding[F]) Of(path string, ask func(stamp string) (F, error)) (F, error) {
	var nothing F
	info, err := os.Stat(path)
	if err != nil {
		return nothing, fmt.Errorf("look at %s: %w", path, err)
	}
	stamp := fmt.Sprint(path, info.ModTime().UnixNano(), info.Size())
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.stamp == stamp {
		return f.found, nil
	}
	found, err := ask(stamp)
	if err != nil {
		return nothing, err
	}
	f.stamp, f.found = stamp, found
	return found, nil
}
