package live

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"kurogo/messages"
)

const (
	someTails = 16       // on one connection
	piece     = 64 << 10 // of a log, in one frame
)

// follow subscribes: all topics or none. Following one again moves its offset. The
// writer begins with it behind the ack.
func (c *client) follow(ctx context.Context, o order) error {
	type place struct {
		Topic  string `json:"topic"`
		Offset int64  `json:"offset"`
		Size   int64  `json:"size"`
	}
	var places []place
	var wanted tails
	topics := maps.Clone(c.topics)
	for _, topic := range o.Topics {
		agent, stream, err := topicOf(topic)
		if err != nil {
			return err
		}
		topics[topic] = true
		if len(topics) > someTails {
			return messages.Errorf(messages.CodeBusy, "more than %d logs would be followed", someTails).Try("unsubscribe some first")
		}
		now, err := ask[messages.StreamChunk](ctx, c.server.port, messages.ReadStream{Agent: agent, Stream: stream, Limit: 1, By: c.who})
		if err != nil {
			return err
		}
		offset := o.Offset
		if offset < 0 {
			offset = max(0, now.Size+offset)
		}
		if offset > now.Size {
			return messages.Invalid("offset", "%d is beyond the end at %d", offset, now.Size).Try("give next of the last delta, or a smaller one")
		}
		places = append(places, place{topic, offset, now.Size})
		wanted = append(wanted, &tail{topic: topic, agent: agent, stream: stream, next: offset, due: true})
	}
	data, err := json.Marshal(map[string]any{"topics": places})
	if err != nil {
		return fmt.Errorf("encode topics: %w", err)
	}
	c.topics = topics
	c.answer(ctx, o.ID, data, nil, func() {
		for _, x := range wanted {
			c.tails.add(x)
		}
	})
	return nil
}

// forget unsubscribes. Behind the ack there is no more.
func (c *client) forget(ctx context.Context, o order) error {
	for _, topic := range o.Topics {
		if _, _, err := topicOf(topic); err != nil {
			return err
		}
	}
	for _, topic := range o.Topics {
		delete(c.topics, topic)
	}
	c.answer(ctx, o.ID, nil, nil, func() {
		for _, topic := range o.Topics {
			c.tails.remove(topic)
		}
	})
	return nil
}

// pour tells a piece of every log that has more.
func (c *client) pour(ctx context.Context) (told bool, err error) {
	for _, x := range c.tails {
		if !x.due {
			continue
		}
		x.due = false
		chunk, err := c.read(ctx, x)
		if err != nil {
			c.server.o.Log.Debug("read log", "agent", x.agent, "err", err)
			continue // the next event of the agent tries again
		}
		if len(chunk.Data) == 0 && chunk.Ended == x.ended {
			continue
		}
		next := x.next + int64(len(chunk.Data))
		frame, err := json.Marshal(struct {
			Type   string `json:"type"`
			Topic  string `json:"topic"`
			Offset int64  `json:"offset"`
			Text   string `json:"text"`
			Next   int64  `json:"next"` // offset of what follows: what is no UTF-8 has another length in Text
			Ended  bool   `json:"ended,omitempty"`
		}{"delta", x.topic, x.next, string(chunk.Data), next, chunk.Ended})
		if err != nil {
			return told, fmt.Errorf("encode delta: %w", err)
		}
		if err := c.write(frame); err != nil {
			return told, err
		}
		x.next, x.ended, told = next, chunk.Ended, true
		x.due = len(chunk.Data) > 0 && next < chunk.Size
	}
	return told, nil
}

// read takes the next piece of a log, cut between two letters.
func (c *client) read(ctx context.Context, x *tail) (messages.StreamChunk, error) {
	from := messages.ReadStream{Agent: x.agent, Stream: x.stream, Offset: x.next, Limit: piece, By: c.who}
	chunk, err := ask[messages.StreamChunk](ctx, c.server.port, from)
	if err != nil {
		return chunk, err
	}
	data := whole(chunk.Data, chunk.Ended)
	if len(data) == 0 && chunk.Next < chunk.Size { // a letter over the end of a segment
		from.Offset, from.Limit = chunk.Next, utf8.UTFMax
		rest, err := ask[messages.StreamChunk](ctx, c.server.port, from)
		if err != nil {
			return chunk, err
		}
		chunk.Ended = rest.Ended
		data = whole(slices.Concat(chunk.Data, rest.Data), rest.Ended)
	}
	chunk.Data = data
	return chunk, nil
}

// whole leaves out a letter of which only the beginning is there; the rest will
// come, unless nothing will.
func whole(data []byte, ended bool) []byte {
	for i := 1; !ended && i < utf8.UTFMax && i <= len(data); i++ {
		if tail := data[len(data)-i:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return data[:len(data)-i]
			}
			break
		}
	}
	return data
}
