package command

import (
	"strings"

	"kurogo/drivers/ndjson"
	"kurogo/drivers/process"
	"kurogo/messages"
)

// plain hears a program all of whose output is the answer.
type plain struct {
	speaker
	answer strings.Builder
	cut    bool
}

// Hear gathers the answer, up to a bound.
func (p *plain) Hear(line process.Line) (ndjson.Heard, error) {
	text := strings.ToValidUTF8(string(line.Text), "\uFFFD")
	if s := strings.TrimSpace(text); s != "" {
		p.grumble = messages.Cut(s, 300)
	}
	if p.cut {
		return ndjson.Heard{}, nil
	}
	if p.cut = line.Truncated || p.answer.Len()+len(text) >= longestPassage; p.cut {
		room := max(0, longestPassage-p.answer.Len()-1)
		p.answer.WriteString(strings.ToValidUTF8(text[:min(len(text), room)], ""))
		return ndjson.Warning("the answer is too long and was cut"), nil
	}
	p.answer.WriteString(text + "\n")
	return ndjson.Heard{}, nil
}

// Close tells the answer. No answer is no result.
func (p *plain) Close() ndjson.Heard {
	text := strings.TrimSpace(p.answer.String())
	if text == "" {
		return ndjson.Heard{}
	}
	return ndjson.Heard{Events: []messages.DriverEvent{
		{Kind: messages.DriverSaid, Text: text},
		{Kind: messages.DriverTurnEnded, End: messages.TurnEnd{Text: text}},
	}}
}
