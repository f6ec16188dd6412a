package actors_test

import "sync"

// falls are the places at which somebody has fallen.
type falls struct {
	mu sync.Mutex
	at map[string]bool
}

func newFalls() *falls { return &falls{at: map[string]bool{}} }

// once reports whether to fall at a place: at the first time there.
func (f *falls) once(at string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	first := !f.at[at]
	f.at[at] = true
	return first
}

// had reports whether somebody has fallen at a place.
func (f *falls) had(at string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.at[at]
}

func (f *falls) places() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.at)
}
