package actors

import "time"

// A Clock is the only source of time for actors, so that a test can own it.
type Clock interface {
	Now() time.Time
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

// SystemClock is the machine's.
type SystemClock struct{}

// Now is the present, in UTC to the millisecond, which is what the journal keeps.
func (SystemClock) Now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// AfterFunc runs f in its own goroutine after d.
func (SystemClock) AfterFunc(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }
