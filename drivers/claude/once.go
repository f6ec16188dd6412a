package claude

import (
	"bytes"
	"context"
	"sync"

	"kurogo/drivers/ndjson"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// A run is the dialogue of a life of one turn; it is its ndjson.OneShot. All that
// we say is said before the CLI says anything: it takes its turn and leaves,
// because its input has ended. So it cannot ask us: what it may use is in its
// arguments (policy.go), and our tools it finds by MCP.
type run struct {
	*dialogue
	began sync.Once
	begun chan struct{} // closed when the CLI has started, or ended
}

// Turn says who it is and what to do.
func (r *run) Turn(t messages.Turn) (args []string, input []byte, err error) {
	hello, err := r.Hello()
	if err != nil {
		return nil, nil, err
	}
	line, err := r.dialogue.Turn(t)
	return nil, bytes.Join([][]byte{hello, line}, []byte("\n")), err
}

// Hear reads one line. It was ready before it began.
func (r *run) Hear(line process.Line) (ndjson.Heard, error) {
	heard, err := r.dialogue.Hear(line)
	heard.Replies = nil
	var rest []messages.DriverEvent
	for _, e := range heard.Events {
		if e.Kind == messages.DriverReady {
			r.up()
			continue
		}
		rest = append(rest, e)
	}
	heard.Events = rest
	return heard, err
}

// Close hears that there are no more lines.
func (r *run) Close() ndjson.Heard {
	r.up()
	return ndjson.Heard{}
}

func (r *run) up() { r.began.Do(func() { close(r.begun) }) }

// A single session takes one turn, with whose beginning its process starts.
type single struct {
	*ndjson.Session
	driver  *driver
	options Options
	run     *run
}

// once prepares a life of one turn.
func (d *driver) once(ctx context.Context, o Options, f features, spec messages.Spec) (messages.Session, error) {
	c, err := o.launch(f, spec)
	if err != nil {
		return nil, err
	}
	c.Soft = process.Terminate
	spec.Tools = nil
	r := &run{dialogue: newDialogue(spec, o.Permission, ""), begun: make(chan struct{})}
	s, err := ndjson.Once(ctx, c, r, spec.Raw)
	if err != nil {
		return nil, err
	}
	return &single{s, d, o, r}, nil
}

// Send implements messages.Session.
func (s *single) Send(ctx context.Context, t messages.Turn) error {
	begun, err := s.driver.wait(ctx, s.options)
	if err != nil {
		return err
	}
	if err := s.Session.Send(ctx, t); err != nil {
		begun()
		return err
	}
	go func() {
		<-s.run.begun
		begun()
	}()
	return nil
}
