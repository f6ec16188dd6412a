package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/gorilla/websocket"

	"kurogo/messages"
)

// An order is what a page wants, one a frame. Which fields count depends on Type.
type order struct {
	Type   string          `json:"type"`
	ID     string          `json:"id"`     // the ack has the same
	Topics []string        `json:"topics"` // sub, unsub: "agent:ID:log" or "agent:ID:stderr"
	Offset int64           `json:"offset"` // sub: of the first byte; below 0, so many before the end
	Tool   string          `json:"tool"`   // call: as in the catalogue
	Input  json.RawMessage `json:"input"`  // call: its arguments
	Data   json.RawMessage `json:"data"`   // config:*
}

const (
	idBytes = 64
	orders  = "call, sub, unsub, config:revalidate_model or config:update_role"
)

// decode reads an order. What is not known is refused by name. The id is there
// even where the rest is wrong, if it could be read.
func decode(kind int, raw []byte) (o order, err error) {
	if kind != websocket.TextMessage {
		return o, messages.Invalid("frame", "orders are text").Try("send JSON in a text frame")
	}
	err = strict(raw, &o)
	if len(o.ID) > idBytes {
		o.ID = ""
		return o, messages.Invalid("id", "it is longer than %d bytes", idBytes).Try("shorten it")
	}
	switch {
	case err != nil:
		return o, messages.Invalid("frame", "%v", err).Try(`send {"type":…,"id":…} with the fields of that type`)
	case o.ID == "":
		return o, messages.Invalid("id", "it is missing").Try("number your orders: the answer has the same id")
	}
	return o, o.check()
}

func strict(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the object")
	}
	return nil
}

// check sees that an order has what its type needs, and nothing else.
func (o order) check() error {
	for _, f := range []struct {
		name        string
		there, need bool
	}{
		{"topics", len(o.Topics) > 0, o.Type == "sub" || o.Type == "unsub"},
		{"tool", o.Tool != "", o.Type == "call"},
		{"data", len(o.Data) > 0, strings.HasPrefix(o.Type, "config:")},
	} {
		switch {
		case f.need && !f.there:
			return messages.Invalid(f.name, "it is missing").Try("give it with " + o.Type)
		case f.there && !f.need && o.known():
			return messages.Invalid(f.name, "%s has none", o.Type).Try("leave it out")
		}
	}
	if !o.known() {
		return messages.Invalid("type", "%q is no order", messages.Cut(o.Type, 64)).Try("send " + orders)
	}
	return nil
}

func (o order) known() bool {
	switch o.Type {
	case "call", "sub", "unsub", "config:revalidate_model", "config:update_role":
		return true
	}
	return false
}

// obey carries out an order, or refuses it. What may last is carried out beside
// the others.
func (c *client) obey(ctx context.Context, o order) error {
	switch o.Type {
	case "sub":
		return c.follow(ctx, o)
	case "unsub":
		return c.forget(ctx, o)
	}
	select {
	case c.calls <- struct{}{}:
	default:
		return messages.Errorf(messages.CodeBusy, "%d orders are being carried out", cap(c.calls)).Try("wait for one of them")
	}
	c.work.Go(func() {
		defer func() { <-c.calls }()
		data, err := c.do(ctx, o)
		c.answer(ctx, o.ID, data, err, nil)
	})
	return nil
}

// do is what may last.
func (c *client) do(ctx context.Context, o order) (json.RawMessage, error) {
	if o.Type == "call" {
		return c.server.tools.Call(ctx, c.who, messages.ToolCall{ID: o.ID, Name: o.Tool, Input: o.Input}, nil)
	}
	if o.Type == "config:update_role" {
		return c.change(ctx, o)
	}
	var which struct {
		ID string `json:"id"` // "" = all
	}
	if err := strict(o.Data, &which); err != nil {
		return nil, messages.Invalid("data", "%v", err).Try(`send {"id":"impl-code"}, or {} for all roles`)
	}
	_, err := ask[messages.Done](ctx, c.server.port, messages.CheckRoles{Role: which.ID})
	return nil, err
}

// change says what would become of a role, or makes it so.
func (c *client) change(ctx context.Context, o order) (json.RawMessage, error) {
	var in struct {
		messages.RoleEdit
		Base   string `json:"base"`
		DryRun bool   `json:"dry_run"`
	}
	if err := strict(o.Data, &in); err != nil {
		return nil, messages.Invalid("data", "%v", err).Try(`send {"id":"impl-code","model":"…","dry_run":true}, then the same with the base of the answer`)
	}
	change, err := ask[messages.RoleChanged](ctx, c.server.port, messages.ChangeRole{Edit: in.RoleEdit, Base: in.Base, DryRun: in.DryRun})
	if err != nil {
		return nil, err
	}
	return json.Marshal(change)
}

// An answer is an ack, and what the writer does when it has told it.
type answer struct {
	frame []byte
	then  func()
}

// answer tells what came of an order, unless nobody waits any more.
func (c *client) answer(ctx context.Context, id string, data json.RawMessage, err error, then func()) {
	type fault struct {
		Code    messages.Code `json:"code"`
		Message string        `json:"message"`
		Field   string        `json:"field,omitempty"`
		Remedy  string        `json:"remedy,omitempty"`
		Retry   int64         `json:"retry_after_ms,omitempty"`
	}
	ack := struct {
		Type  string          `json:"type"`
		ID    string          `json:"id"`
		OK    bool            `json:"ok"`
		Data  json.RawMessage `json:"data,omitempty"`
		Error *fault          `json:"error,omitempty"`
	}{Type: "ack", ID: id, OK: err == nil, Data: data}
	if e := messages.AsError(err); e != nil {
		ack.Data, ack.Error = nil, &fault{e.Code, e.Message, e.Field, e.Remedy, e.RetryAfter.Milliseconds()}
	}
	frame, wrong := json.Marshal(ack)
	if wrong != nil { // the tool's answer is no JSON: a bug
		c.server.o.Log.Error("encode ack", "err", wrong)
		c.answer(ctx, id, nil, messages.Errorf(messages.CodeInternal, "the answer could not be encoded").Try("the log of kurogo serve says more"), nil)
		return
	}
	select {
	case c.answers <- answer{frame, then}:
	case <-ctx.Done():
	}
}
