package tools

import (
	"context"
	"iter"

	"kurogo/messages"
)

// A Port is the house behind the tools. Both methods may be called from many
// goroutines at once, and both end soon after their context does.
type Port interface {
	// Ask answers at once, or with an error that carries a messages.Code.
	Ask(ctx context.Context, m messages.Message) (messages.Message, error)

	// Watch yields the events of the topic behind since, oldest first, and then
	// those to come. An error is the last thing it yields.
	Watch(ctx context.Context, t messages.Topic, since int64) iter.Seq2[messages.Event, error]
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

// A Happening is what Follow hears: an event, or why there will be no more.
type Happening struct {
	Event messages.Event
	Err   error
}

// Follow watches in a goroutine of its own, for whoever has other things to wait
// for too. The channel is closed soon after ctx ends, or behind an error; until
// then it must be read.
func Follow(ctx context.Context, p Port, t messages.Topic, since int64) <-chan Happening {
	out := make(chan Happening)
	go func() {
		defer close(out)
		for e, err := range p.Watch(ctx, t, since) {
			select {
			case out <- Happening{e, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return out
}
