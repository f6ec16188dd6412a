package gate

import (
	"math"
	"sync"
	"time"

	"kurogo/messages"
)

// A book keeps an account of every principal: a bucket that fills with time, and
// how many of its requests are being answered.
type book struct {
	mu   sync.Mutex
	page map[string]*account
}

type account struct {
	left   float64
	at     time.Time
	inside int
}

// maxPages is when the book is searched for accounts that say nothing.
const maxPages = 256

// enter takes one request in, until leave. Errors: rate_limited, busy.
func (b *book) enter(principal string, most Bounds, now time.Time) (leave func(), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.page[principal]
	if a == nil {
		b.sweep(now)
		a = &account{left: most.Burst, at: now}
		b.page[principal] = a
	}
	a.left = math.Min(most.Burst, a.left+most.Rate*now.Sub(a.at).Seconds())
	a.at = now
	switch {
	case a.left < 1:
		e := messages.Errorf(messages.CodeRateLimited, "more than %g requests a second", most.Rate).Try("ask more slowly")
		e.RetryAfter = time.Duration((1 - a.left) / most.Rate * float64(time.Second)).Round(time.Millisecond)
		return nil, e
	case a.inside >= most.InFlight:
		e := messages.Errorf(messages.CodeBusy, "%d requests are being answered", a.inside).Try("wait for one of them")
		e.RetryAfter = time.Second
		return nil, e
	}
	a.left--
	a.inside++
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		a.inside--
	}, nil
}

// sweep forgets who has been away for a while, once there are many.
func (b *book) sweep(now time.Time) {
	if b.page == nil {
		b.page = map[string]*account{}
	}
	if len(b.page) < maxPages {
		return
	}
	for principal, a := range b.page {
		if a.inside == 0 && now.Sub(a.at) > time.Minute {
			delete(b.page, principal)
		}
	}
}
