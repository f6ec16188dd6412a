package local

import (
	"context"
	"iter"

	"kurogo/messages"
)

// A House is whoever answers behind the socket. Both methods may be called from
// many goroutines at once, and both end soon after their context does.
type House interface {
	// Ask answers at once, or with an error that carries a messages.Code.
	Ask(ctx context.Context, m messages.Message) (messages.Message, error)

	// Watch yields the events of the topic behind since, oldest first, and then
	// those to come. An error is the last thing it yields. The caller may take
	// as long as it likes between two events.
	Watch(ctx context.Context, t messages.Topic, since int64) iter.Seq2[messages.Event, error]
}

// A Hello is what each side says of itself before anything else.
type Hello struct {
	Version string `json:"version"`
	Schema  int    `json:"schema"`
}

// other explains why mine cannot talk to theirs.
func (mine Hello) other(theirs Hello) *messages.Error {
	return messages.Errorf(messages.CodeUnavailable, "kurogo %s (schema %d) serves here, and kurogo %s (schema %d) calls",
		mine.Version, mine.Schema, theirs.Version, theirs.Schema)
}
