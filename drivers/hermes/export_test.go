package hermes

import (
	"encoding/json"
	"strings"

	"kurogo/messages"
)

// Told is what a teller tells of an envelope that comes in pieces of n characters.
func Told(text string, n int) string {
	t := newTeller(sealed, false)
	var out strings.Builder
	var piece []rune
	for _, r := range text {
		if piece = append(piece, r); len(piece) >= n {
			out.WriteString(t.hear(string(piece)))
			piece = piece[:0]
		}
	}
	out.WriteString(t.hear(string(piece)))
	return out.String()
}

// OpenEnvelope opens an envelope.
func OpenEnvelope(text string) ([]messages.ToolCall, json.RawMessage, error) {
	e, err := openEnvelope(text)
	return e.calls, e.final, err
}

// Hear hears the lines of a stream: what was said in all, what was told of it
// meanwhile, and how long the answer counts.
func Hear(ollama bool, lines []string) (said, told string, warnings []string, counted int, err error) {
	d := dialectOf(place{api: map[bool]string{true: Ollama, false: OpenAI}[ollama]})
	a := &answer{}
	for _, line := range lines {
		var p piece
		if p, err = d.hear([]byte(line), a); err != nil {
			break
		}
		if told += p.text; p.warning != "" {
			warnings = append(warnings, p.warning)
		}
	}
	return a.text.String(), told, warnings, a.size, err
}
