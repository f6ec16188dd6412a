package mcp

import (
	"sync"
	"time"

	protocol "github.com/mark3labs/mcp-go/mcp"
)

// progress tells a client that waits for a tool that the tool still runs: at
// once, so that headers leave and no time-out begins, and then every beat. A
// client that gave no token is only kept from hanging up.
type progress struct {
	x     *exchange
	token any

	mu   sync.Mutex
	word string

	telling sync.Mutex // held while a word leaves; over the fields below
	last    int
	next    *time.Timer // nil: there is nobody to tell
	over    bool
}

func (x *exchange) progress(token any) *progress {
	p := &progress{x: x, token: token}
	if _, ok := x.voice.(keeper); token != nil || ok {
		p.telling.Lock()
		defer p.telling.Unlock()
		p.tell()
		p.next = time.AfterFunc(beat, p.again)
	}
	return p
}

// note is told what the tool waits for.
func (p *progress) note(word string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.word = word
}

// again comes every beat. Most calls have ended before the first.
func (p *progress) again() {
	p.telling.Lock()
	defer p.telling.Unlock()
	if p.over {
		return
	}
	if k, ok := p.x.voice.(keeper); ok && p.token == nil {
		k.alive()
	}
	p.tell()
	p.next.Reset(beat)
}

func (p *progress) tell() {
	if p.token == nil {
		return
	}
	p.last++
	p.mu.Lock()
	word := p.word
	p.mu.Unlock()
	params := map[string]any{"progressToken": p.token, "progress": p.last}
	if word != "" {
		params["message"] = word
	}
	_ = p.x.say(protocol.JSONRPCNotification{ // the answer will find out too
		JSONRPC:      protocol.JSONRPC_VERSION,
		Notification: protocol.Notification{Method: "notifications/progress", Params: protocol.NotificationParams{AdditionalFields: params}},
	})
}

// stop waits for the last word: none follows the answer.
func (p *progress) stop() {
	p.telling.Lock()
	defer p.telling.Unlock()
	p.over = true
	if p.next != nil {
		p.next.Stop()
	}
}
