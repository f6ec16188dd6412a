package ndjson

import (
	"strings"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// Raw lets a protocol tell, where that is wanted, every line before what it
// means.
func Raw(p Protocol, wanted bool) Protocol {
	if !wanted {
		return p
	}
	return loud{p}
}

type loud struct{ Protocol }

func (l loud) Hear(line process.Line) (Heard, error) {
	raw := messages.DriverEvent{Kind: messages.DriverRaw, Text: strings.ToValidUTF8(string(line.Text), "\uFFFD")}
	heard, err := l.Protocol.Hear(line)
	heard.Events = append([]messages.DriverEvent{raw}, heard.Events...)
	return heard, err
}
