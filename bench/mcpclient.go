package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
)

// A speaker is one MCP client, the same for every server and as raw as can be.
// Each of its voices has one request in flight.
type speaker interface {
	ask(ctx context.Context, voice int, request []byte) ([]byte, error)
	tell(ctx context.Context, notification []byte) error
	close()
}

const (
	voices     = 128
	mcpVersion = "2025-11-25"
)

// onSent is the key of a func in a context: it is called when a request has left.
type onSent struct{}

// A caller makes the requests of one speaker.
type caller struct {
	speaker
	last [voices]int
}

// greet shakes hands, as every client of that version does.
func greet(ctx context.Context, s speaker) (*caller, error) {
	c := &caller{speaker: s}
	_, err := c.call(ctx, 0, "initialize", `{"protocolVersion":"`+mcpVersion+`","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}`)
	if err == nil {
		err = c.tell(ctx, []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	}
	return c, err
}

// call sends a request and sees that it was not refused. An answer is not
// parsed: that would cost more than to make it.
func (c *caller) call(ctx context.Context, voice int, method, params string) ([]byte, error) {
	c.last[voice]++
	id := "v" + strconv.Itoa(voice) + "-" + strconv.Itoa(c.last[voice])
	request := make([]byte, 0, 64+len(method)+len(params))
	request = append(append(request, `{"jsonrpc":"2.0","id":"`...), id...)
	request = append(append(request, `","method":"`...), method...)
	request = append(append(append(request, `","params":`...), params...), '}')
	answer, err := c.ask(ctx, voice, request)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", method, err)
	case bytes.Contains(answer, []byte(`"isError":true`)), !bytes.Contains(answer, []byte(`"result":`)), !bytes.Contains(answer, []byte(id)):
		return nil, fmt.Errorf("%s was answered with %.500s", method, answer)
	}
	return answer, nil
}

// use calls a tool.
func (c *caller) use(ctx context.Context, voice int, tool, arguments string) ([]byte, error) {
	return c.call(ctx, voice, "tools/call", `{"name":"`+tool+`","arguments":`+arguments+`}`)
}

// read uses a tool once and decodes what it says.
func (c *caller) read(ctx context.Context, tool, arguments string, into any) error {
	answer, err := c.use(ctx, 0, tool, arguments)
	if err != nil {
		return err
	}
	var a struct {
		Result struct {
			Structured json.RawMessage `json:"structuredContent"`
		} `json:"result"`
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return fmt.Errorf("read answer of %s: %w", tool, err)
	}
	return json.Unmarshal(a.Result.Structured, into)
}

// A cable carries whole messages both ways, the answers in any order.
type cable interface {
	send(ctx context.Context, message []byte) error
	receive() ([]byte, error)
	close()
}

// A duplex is a speaker on a cable.
type duplex struct {
	cable
	sending sync.Mutex
	heard   [voices]chan []byte
	gone    chan struct{} // closed when nothing more is heard
	fault   error         // why; may be read then
}

func newDuplex(c cable) *duplex {
	d := &duplex{cable: c, gone: make(chan struct{})}
	for i := range d.heard {
		d.heard[i] = make(chan []byte, 1)
	}
	go d.listen()
	return d
}

// listen gives each answer to its voice, which its id names.
func (d *duplex) listen() {
	defer close(d.gone)
	for {
		message, err := d.receive()
		if err != nil {
			d.fault = err
			return
		}
		_, id, found := bytes.Cut(message, []byte(`"id":"v`))
		number, _, _ := bytes.Cut(id, []byte("-"))
		if voice, err := strconv.Atoi(string(number)); found && err == nil {
			d.heard[voice] <- message
		}
	}
}

func (d *duplex) ask(ctx context.Context, voice int, request []byte) ([]byte, error) {
	if err := d.tell(ctx, request); err != nil {
		return nil, err
	}
	if sent, ok := ctx.Value(onSent{}).(func()); ok {
		sent()
	}
	select {
	case answer := <-d.heard[voice]:
		return answer, nil
	case <-d.gone:
		return nil, errors.Join(errors.New("the server has gone"), d.fault)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (d *duplex) tell(ctx context.Context, message []byte) error {
	d.sending.Lock()
	defer d.sending.Unlock()
	return d.send(ctx, message)
}
