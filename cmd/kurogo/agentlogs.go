package main

import (
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"kurogo/messages"
	"kurogo/transport/local"
)

func (p *program) logs() *cobra.Command {
	var stream string
	var follow bool
	c := &cobra.Command{
		Use:   "logs AGENT",
		Short: "Print what an agent's process said, as it said it",
		Long: `Logs prints the raw stream of an agent, byte by byte; on a terminal without what
would move the cursor. With --follow it goes on until the agent has ended.`,
		Example: "  kurogo logs impl-code-1739487600-a3f2 --follow\n  kurogo logs impl-code-1739487600-a3f2 --stream stderr",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return p.readLog(c.Context(), messages.ReadStream{Agent: messages.AgentID(args[0]), Stream: stream, Limit: 1 << 20, By: p.caller()}, follow)
		},
	}
	c.Flags().StringVar(&stream, "stream", "stdout", "stdout or stderr")
	c.Flags().BoolVarP(&follow, "follow", "f", false, "go on with what it says next, until it has ended")
	return c
}

func (p *program) readLog(ctx context.Context, word messages.ReadStream, follow bool) error {
	client, err := p.connect(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	status, err := askOn[messages.Status](ctx, client, messages.GetStatus{})
	if err != nil {
		return err
	}
	out := &tap{program: p, House: client, word: word, tame: isTerminal(p.out) && !p.flags.json}
	if ended, err := out.drain(ctx); err != nil || ended || !follow {
		return err
	}
	topic := messages.Topic{Kinds: []messages.EventKind{messages.AgentUpdated, messages.AgentEnded}, IDs: []string{string(word.Agent)}}
	for _, err := range client.Watch(ctx, topic, status.LastEvent) {
		if err != nil {
			return err
		}
		if ended, err := out.drain(ctx); err != nil || ended {
			return err
		}
	}
	return nil
}

// A tap lets a stream run out as far as it has come.
type tap struct {
	*program
	local.House
	word messages.ReadStream
	tame bool   // for the eyes of a person
	rest []byte // of a letter that is not whole yet
}

// drain prints what there is. ended says that there will be no more.
func (t *tap) drain(ctx context.Context) (ended bool, err error) {
	for {
		chunk, err := askOn[messages.StreamChunk](ctx, t.House, t.word)
		if err != nil {
			return false, err
		}
		t.word.Offset = chunk.Next
		if err := t.put(chunk); err != nil || chunk.Ended {
			return chunk.Ended, err
		}
		if len(chunk.Data) == 0 || chunk.Next == chunk.Size {
			return false, nil
		}
	}
}

func (t *tap) put(chunk messages.StreamChunk) error {
	if len(chunk.Data) == 0 && !chunk.Ended {
		return nil
	}
	if t.flags.json {
		return t.print(chunk)
	}
	data := chunk.Data
	if t.tame {
		data = append(t.rest, data...)
		whole := len(data)
		if !chunk.Ended {
			whole = lettersOf(data)
		}
		t.rest = append([]byte(nil), data[whole:]...)
		data = []byte(harmless(string(data[:whole])))
	}
	if _, err := t.out.Write(data); err != nil {
		return fmt.Errorf("print log: %w", err)
	}
	return nil
}

// lettersOf is how much of b is whole: a letter may go on in the next piece.
func lettersOf(b []byte) int {
	for i := len(b) - 1; i >= 0 && i >= len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			if utf8.FullRune(b[i:]) {
				return len(b)
			}
			return i
		}
	}
	return len(b)
}
