package live

import (
	"context"
	"encoding/json"
	"iter"

	"kurogo/messages"
)

// A Port is the house behind the socket. Both methods may be called from many
// goroutines at once, and both end soon after their context does.
type Port interface {
	// Ask answers at once, or with an error that carries a messages.Code.
	Ask(ctx context.Context, m messages.Message) (messages.Message, error)

	// Watch yields the events of the topic behind since, oldest first, and then
	// those to come. An error is the last thing it yields.
	Watch(ctx context.Context, t messages.Topic, since int64) iter.Seq2[messages.Event, error]
}

// A Catalogue is what a page can have done.
type Catalogue interface {
	// Call uses a tool. The answer is a JSON object. ctx ends when nobody waits
	// any more, which must not undo what was begun.
	Call(ctx context.Context, who messages.Caller, call messages.ToolCall, progress func(note string)) (json.RawMessage, error)
}

// ask wants one kind of answer.
func ask[T messages.Message](ctx context.Context, p Port, m messages.Message) (T, error) {
	var none T
	answer, err := p.Ask(ctx, m)
	if err != nil {
		return none, err
	}
	t, ok := answer.(T)
	if !ok {
		return none, messages.Errorf(messages.CodeInternal, "%s was answered with %T", messages.KindOf(m), answer)
	}
	return t, nil
}
