package rehearsal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// longestCue is far over what one turn may carry: it bounds memory, not content.
const longestCue = 64 << 20

// Effects are what a player does to its own process. The zero value does it.
type Effects struct {
	Exit func(status int) // a line of kind crash; os.Exit
	Hang func()           // a line of kind hang; deaf to everything but SIGKILL
}

// Play is the player: it reads what the driver says from in, plays the first
// scene that fits each turn to out, and returns nil when in ends, or after the
// only turn of a life that has one. It keeps nothing from one turn to the next.
func Play(in io.Reader, out io.Writer, p messages.Performance, e Effects) error {
	stage, err := newStage(p)
	if err != nil {
		return err
	}
	if e.Exit == nil {
		e.Exit = os.Exit
	}
	if e.Hang == nil {
		e.Hang = hang
	}
	left := make(chan struct{})
	defer close(left)
	cues, broken := listenTo(in, left)
	pl := &player{stage: stage, effects: e, cues: cues, out: out}
	if err := pl.play(); err != nil && !errors.Is(err, errLeft) {
		return fmt.Errorf("play: %w", err)
	}
	select {
	case err := <-broken:
		return fmt.Errorf("play: %w", err)
	default:
		return nil
	}
}

// hang is deaf to every polite end. It sleeps rather than blocks: a program in
// which everybody blocks is ended by Go.
func hang() {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	for {
		time.Sleep(time.Hour)
	}
}

// listenTo reads cues until in ends or left is closed. An unreadable line ends
// it too, and then says why.
func listenTo(in io.Reader, left <-chan struct{}) (<-chan cue, <-chan error) {
	cues, broken := make(chan cue), make(chan error, 1)
	go func() {
		defer close(cues)
		r := process.NewReader(in, longestCue)
		for {
			line, err := r.Next()
			if err != nil {
				return
			}
			var c cue
			if err := json.Unmarshal(line.Text, &c); err != nil {
				broken <- fmt.Errorf("read cue: %w", err)
				return
			}
			select {
			case cues <- c:
			case <-left:
				return
			}
		}
	}()
	return cues, broken
}

// errLeft means that nobody speaks to the player any more.
var errLeft = errors.New("the driver has left")

type player struct {
	stage   stage
	effects Effects
	cues    <-chan cue
	out     io.Writer

	agent   messages.Address
	dir     string
	session string
	tools   []string // that it is offered
	once    bool
	looks   bool
}

func (p *player) play() error {
	for c := range p.cues {
		var err error
		switch c.Type { //nolint:exhaustive // the rest is ours to say
		case hello:
			p.agent, p.dir, p.session, p.looks = c.Agent, c.Dir, c.Session, c.Looks
			if p.dir == "" {
				p.dir = "."
			}
			if p.session == "" {
				p.session = messages.NewID()
			}
			p.tools, p.once = c.Tools, c.Once
			err = p.say(word{Type: ready})
		case turn:
			if p.once && len(p.tools) == 0 {
				p.cues = nil // this was all that it hears, and no end
			}
			if err = p.turn(c); err == nil && p.once {
				return nil
			}
		case toolResult, interrupt: // of a turn that is over
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// turn plays one turn and says how it ended. Only what ends the player itself is
// an error.
func (p *player) turn(c cue) error {
	a := newAct(p, c)
	err := a.play()
	end := word{Type: turnEnd, Turn: c.ID, Session: p.session, Border: c.ID, Text: a.final()}
	var f failure
	switch {
	case err == nil:
	case errors.As(err, &f):
		end.Class, end.Text = messages.ClassInvalid, string(f)
	case errors.Is(err, errInterrupted):
		end.Class, end.Text = messages.ClassInterrupted, err.Error()
	default:
		return err
	}
	if err := p.say(a.usage()); err != nil {
		return err
	}
	return p.say(end)
}

func (p *player) say(w word) error {
	line, err := json.Marshal(w)
	if err != nil {
		return fmt.Errorf("say %s: %w", w.Type, err)
	}
	return p.write(append(line, '\n'))
}

func (p *player) write(b []byte) error {
	if _, err := p.out.Write(b); err != nil {
		return fmt.Errorf("write line: %w", err)
	}
	return nil
}
