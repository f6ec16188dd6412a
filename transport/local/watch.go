package local

import (
	"context"
	"runtime/debug"

	"kurogo/messages"
)

// watch sends the events of one topic as the watcher has room for them.
func (c *conn) watch(ctx context.Context, f frame, room *credit) {
	err := c.follow(ctx, f, room)
	if cause := context.Cause(ctx); cause != nil {
		err = cause // the house may end a watch quietly when its context does
	}
	if err != nil {
		c.reply(ctx, fail(f.ID, err))
		return
	}
	c.reply(ctx, frame{ID: f.ID, Verb: verbEnd})
}

func (c *conn) follow(ctx context.Context, f frame, room *credit) (err error) {
	defer func() {
		if r := recover(); r != nil {
			c.o.Log.Error("watch", "panic", r, "stack", string(debug.Stack()))
			err = messages.Errorf(messages.CodeInternal, "watch: %v", r)
		}
	}()
	last := f.Since
	var topic messages.Topic
	if f.Topic != nil {
		topic = *f.Topic
	}
	for e, err := range c.house.Watch(ctx, topic, f.Since) {
		if err != nil {
			return err
		}
		out, err := say(f.ID, verbEvent, e)
		if err != nil {
			return err
		}
		if err := room.take(ctx, c.o.Patience, last); err != nil {
			return err
		}
		if err := c.link.write(ctx, out); err != nil {
			return err
		}
		last = e.Seq
	}
	return nil
}
