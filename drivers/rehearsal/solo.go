package rehearsal

import (
	"bytes"
	"fmt"

	"kurogo/drivers/ndjson"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// A solo is the protocol of a life of one turn without tools: all that the player
// hears is said before it says anything, and then its input ends.
type solo struct{ protocol }

// Turn says who it is and what to do.
func (s solo) Turn(t messages.Turn) (args []string, input []byte, err error) {
	who, err := s.Hello()
	if err != nil {
		return nil, nil, err
	}
	line, err := s.protocol.Turn(t)
	if err != nil {
		return nil, nil, fmt.Errorf("begin turn: %w", err)
	}
	return nil, bytes.Join([][]byte{who, line}, []byte("\n")), nil
}

// Hear reads one line. It was ready before it began.
func (s solo) Hear(line process.Line) (ndjson.Heard, error) {
	heard, err := s.protocol.Hear(line)
	if len(heard.Events) == 1 && heard.Events[0].Kind == messages.DriverReady {
		return ndjson.Heard{}, err
	}
	return heard, err
}

// Close hears that there are no more lines: a player ends its turn itself.
func (solo) Close() ndjson.Heard { return ndjson.Heard{} }
