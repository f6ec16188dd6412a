package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"

	protocol "github.com/mark3labs/mcp-go/mcp"
)

// questions are the requests that we have put to a client. Their ids are words,
// so that they are never taken for the client's.
type questions struct {
	mu   sync.Mutex
	last int
	open map[string]chan envelope
}

func (q *questions) ask() (id string, answer chan envelope) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.last++
	id, answer = "kurogo-"+strconv.Itoa(q.last), make(chan envelope, 1)
	if q.open == nil {
		q.open = map[string]chan envelope{}
	}
	q.open[id] = answer
	return id, answer
}

func (q *questions) forget(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.open, id)
}

// answered hands an answer to whoever waits for it. One that nobody waits for is
// dropped.
func (q *questions) answered(e envelope) {
	var id string
	if json.Unmarshal(e.ID, &id) != nil {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if answer, ok := q.open[id]; ok {
		delete(q.open, id)
		answer <- e
	}
}

// ask puts a request to the client on the stream of the exchange and waits.
func (x *exchange) ask(ctx context.Context, method string, params, into any) error {
	id, answer := x.questions.ask()
	defer x.forget(id)
	if err := x.say(protocol.JSONRPCRequest{
		JSONRPC: protocol.JSONRPC_VERSION, ID: protocol.NewRequestId(id),
		Request: protocol.Request{Method: method}, Params: params,
	}); err != nil {
		return fmt.Errorf("ask client: %w", err)
	}
	select {
	case e := <-answer:
		if e.Error != nil {
			return errors.New("the client refused: " + string(e.Error))
		}
		return json.Unmarshal(e.Result, into)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// RequestElicitation implements [server.SessionWithElicitation].
func (x *exchange) RequestElicitation(ctx context.Context, r protocol.ElicitationRequest) (*protocol.ElicitationResult, error) {
	var answer protocol.ElicitationResult
	return &answer, x.ask(ctx, string(protocol.MethodElicitationCreate), r.Params, &answer)
}

// RequestSampling implements [server.SessionWithSampling].
func (x *exchange) RequestSampling(ctx context.Context, r protocol.CreateMessageRequest) (*protocol.CreateMessageResult, error) {
	var answer protocol.CreateMessageResult
	return &answer, x.ask(ctx, string(protocol.MethodSamplingCreateMessage), r.CreateMessageParams, &answer)
}

// ListRoots implements [server.SessionWithRoots].
func (x *exchange) ListRoots(ctx context.Context, _ protocol.ListRootsRequest) (*protocol.ListRootsResult, error) {
	var answer protocol.ListRootsResult
	return &answer, x.ask(ctx, string(protocol.MethodListRoots), nil, &answer)
}
