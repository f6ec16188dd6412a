package rehearsal

import (
	"kurogo/drivers/process"
	"kurogo/messages"
)

// Decode lets the fuzzer at the driver's decoder.
func Decode(line process.Line) (known bool, warning string, err error) {
	w, warning, err := decode(line)
	return w.Type != "", warning, err
}

// Plays lets the stories at the casting.
func Plays(part, who messages.Address) bool { return plays(part, who) }
