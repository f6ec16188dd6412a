package gate

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"sync"
	"time"

	"kurogo/messages"
)

// afterlife is how long an agent's token outlives the agent: what it still had
// to say is on its way.
const afterlife = 60 * time.Second

// Tokens are the tokens of the agents: one for each life, in memory only.
type Tokens struct {
	after func(d time.Duration, f func()) (stop func() bool)

	mu    sync.Mutex
	lives map[life]*badge
	badge map[[sha256.Size]byte]*badge
}

type life struct {
	agent messages.AgentID
	epoch int
}

type badge struct {
	life life
	sum  [sha256.Size]byte
	ctx  context.Context
	end  context.CancelFunc
	stop func() bool // of the afterlife; nil while the agent lives
}

// NewTokens knows nobody yet. after runs f once in d, like time.AfterFunc, which
// nil stands for.
func NewTokens(after func(d time.Duration, f func()) (stop func() bool)) *Tokens {
	if after == nil {
		after = func(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }
	}
	return &Tokens{after: after, lives: map[life]*badge{}, badge: map[[sha256.Size]byte]*badge{}}
}

// NewToken draws 256 bits.
func NewToken() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the process instead
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// Issue gives a life of an agent its token. A life has one: an earlier one of
// the same life is no longer known.
func (t *Tokens) Issue(agent messages.AgentID, epoch int) string {
	token := NewToken()
	b := &badge{life: life{agent, epoch}, sum: sha256.Sum256([]byte(token))}
	b.ctx, b.end = context.WithCancel(context.Background())
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drop(t.lives[b.life])
	t.lives[b.life], t.badge[b.sum] = b, b
	return token
}

// End says that a life is over. Its token, and every connection that was opened
// with it, ends 60 s later.
func (t *Tokens) End(agent messages.AgentID, epoch int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	b := t.lives[life{agent, epoch}]
	if b == nil || b.stop != nil {
		return
	}
	b.stop = t.after(afterlife, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.drop(b)
	})
}

// drop forgets a badge. The lock is held.
func (t *Tokens) drop(b *badge) {
	if b == nil {
		return
	}
	b.end()
	if b.stop != nil {
		b.stop()
	}
	delete(t.badge, b.sum)
	if t.lives[b.life] == b {
		delete(t.lives, b.life)
	}
}

// whose looks a token up by its hash: what the time of a look-up tells is of no
// use to somebody who cannot choose hashes.
func (t *Tokens) whose(sum [sha256.Size]byte) (visitor, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	b, ok := t.badge[sum]
	if !ok {
		return visitor{}, false
	}
	return visitor{
		who:       messages.Caller{Agent: b.life.agent},
		principal: fmt.Sprintf("agent:%s:%d", b.life.agent, b.life.epoch),
		life:      b.ctx,
	}, true
}
