package actors

import (
	"math"
	"math/rand/v2"
	"time"
)

// Backoff says how long to wait before the nth try again: Initial times Factor
// for each failure in a row, at most Max, spread by ±Jitter so that a crew that
// fell together does not rise together. After Tries failures it is always Max.
type Backoff struct {
	Initial, Max time.Duration
	Factor       float64
	Tries        int     // 0 = it grows to Max by itself
	Jitter       float64 // 0.2 = ±20 %
}

// Delay is the wait after the given number of failures in a row (1 = the first).
func (b Backoff) Delay(failures int) time.Duration {
	if failures < 1 {
		return 0
	}
	d := float64(b.Max)
	if b.Tries == 0 || failures <= b.Tries {
		d = min(d, float64(b.Initial)*math.Pow(b.Factor, float64(failures-1)))
	}
	return time.Duration(d * (1 + b.Jitter*(2*rand.Float64()-1)))
}
