package mcp

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// A voice is the way back to the client that one message opened. It may wait for
// a slow reader.
type voice interface{ say(message any) error }

// A keeper is a voice that others hang up on when it is silent for long.
type keeper interface{ alive() }

// An exchange is one message of a session, as mcp-go sees the session while it
// handles the message: what is told to this client then leaves on the message's
// own stream.
type exchange struct {
	*session
	voice
	server *Server
	legacy bool

	over  chan struct{} // closed when the message was handled
	once  sync.Once     // makes the rest, if anybody says anything
	notes chan protocol.JSONRPCNotification
	told  chan struct{} // closed when nothing is left to tell

	result    *protocol.CallToolResult // what the tool answered
	failure   *failure                 // what the tool refused with
	cancelled bool                     // by the client: it wants no answer
}

// room is for what mcp-go says without waiting, and drops when it finds no room.
const room = 256

// handle lets mcp-go answer one message. The answer is nil where there is none
// to give. Everything that is said during it was said when handle returns.
func (s *Server) handle(ctx context.Context, in *session, raw []byte, e envelope, legacy bool, v voice) any {
	x := &exchange{
		session: in, voice: v, server: s, legacy: legacy || s.o.Legacy,
		over: make(chan struct{}),
	}
	answer := x.answer(s.protocol.WithContext(ctx, x), raw, e)
	x.finish()
	switch {
	case answer == nil, !e.asks():
		return nil
	case x.cancelled && ctx.Err() == nil:
		return withdrawn{answer}
	case x.failure != nil && x.legacy:
		return x.failure.rpc(e.ID)
	}
	return x.named(answer, e.ID)
}

// withdrawn is the answer to a request that the client has cancelled: only a
// carrier that has to answer with something sends it.
type withdrawn struct{ answer any }

// answer survives what should never happen.
func (x *exchange) answer(ctx context.Context, raw []byte, e envelope) (answer any) {
	defer func() {
		if r := recover(); r != nil {
			x.server.o.Log.Error("panic", "method", e.Method, "panic", fmt.Sprint(r), "stack", string(debug.Stack()))
			if e.asks() {
				answer = *fault(e.ID, protocol.INTERNAL_ERROR, "a bug: the log of kurogo says where")
			}
		}
	}()
	if answer, ok := x.direct(ctx, e); ok {
		return answer
	}
	return x.server.protocol.HandleMessage(ctx, raw)
}

// named gives the answer the id exactly as it was asked under.
func (x *exchange) named(answer any, id []byte) any {
	switch a := answer.(type) {
	case protocol.JSONRPCResponse:
		if x.result != nil && a.Result == any(x.result) {
			return toolAnswer{id, x.result}
		}
		a.ID = requestID(id)
		return a
	case protocol.JSONRPCError:
		a.ID = requestID(id)
		return a
	}
	return answer
}

// NotificationChannel implements [server.ClientSession]. Whoever asks for it is
// about to say something.
func (x *exchange) NotificationChannel() chan<- protocol.JSONRPCNotification {
	x.once.Do(func() {
		x.notes, x.told = make(chan protocol.JSONRPCNotification, room), make(chan struct{})
		go x.tell()
	})
	return x.notes
}

func (x *exchange) tell() {
	defer close(x.told)
	for {
		select {
		case n := <-x.notes:
			_ = x.say(n) // the answer will find out too
		case <-x.over:
			for {
				select {
				case n := <-x.notes:
					_ = x.say(n)
				default:
					return
				}
			}
		}
	}
}

// finish waits until all that was said has left. What somebody says after that
// belongs to no exchange and goes nowhere.
func (x *exchange) finish() {
	close(x.over)
	x.once.Do(func() {})
	if x.told != nil {
		<-x.told
	}
}

// GetSessionTools implements [server.SessionWithTools]: the tools are those that
// the catalogue has for this caller.
func (x *exchange) GetSessionTools() map[string]server.ServerTool {
	who := x.caller()
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.tools == nil {
		x.tools = x.server.offer(who)
	}
	return x.tools
}

// SetSessionTools implements [server.SessionWithTools]. Nobody but the catalogue
// offers tools.
func (x *exchange) SetSessionTools(map[string]server.ServerTool) {}

var (
	_ server.SessionWithTools              = (*exchange)(nil)
	_ server.SessionWithLogging            = (*exchange)(nil)
	_ server.SessionWithClientInfo         = (*exchange)(nil)
	_ server.SessionWithElicitation        = (*exchange)(nil)
	_ server.SessionWithSampling           = (*exchange)(nil)
	_ server.SessionWithRoots              = (*exchange)(nil)
	_ server.SessionWithProtocolVersion    = (*exchange)(nil)
	_ server.SessionWithSubscriptionFilter = (*exchange)(nil)
)
