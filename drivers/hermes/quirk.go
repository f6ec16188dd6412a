package hermes

import (
	"net/http"
	"slices"
	"strings"
	"sync"
)

// A quirk is something that a model's service does not take. Nobody can be asked
// beforehand: its first refusal tells.
type quirk int

const (
	noTools   quirk = iota // it has no tool calls of its own
	noFormat               // it keeps no form of an answer
	newTokens              // OpenAI: its limit of tokens has another name
	noOptions              // OpenAI: it counts no tokens of a stream
	noWarmth               // its temperature is its own
)

type quirks []quirk

func (q quirks) has(one quirk) bool { return slices.Contains(q, one) }

// signs are how refusals are worded, and what of the request they refuse.
var signs = []struct {
	word  string
	quirk quirk
	asked func(request) bool
}{
	{"max_completion_tokens", newTokens, func(r request) bool { return r.maxTokens > 0 }},
	{"temperature", noWarmth, func(r request) bool { return r.temperature != nil }},
	{"stream_options", noOptions, func(request) bool { return true }},
	{"tool", noTools, func(r request) bool { return len(r.tools) > 0 }},
	{"function", noTools, func(r request) bool { return len(r.tools) > 0 }},
	{"format", noFormat, func(r request) bool { return r.format() != nil }},
	{"schema", noFormat, func(r request) bool { return r.format() != nil }},
	{"grammar", noFormat, func(r request) bool { return r.format() != nil }},
}

// quirk is what a refusal tells of the service; false when it tells nothing new.
func (f *failure) quirk(r request) (quirk, bool) {
	switch f.status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusInternalServerError, http.StatusNotImplemented:
	default:
		return 0, false
	}
	lower := strings.ToLower(f.text)
	for _, s := range signs {
		if strings.Contains(lower, s.word) && s.asked(r) && !r.quirks.has(s.quirk) {
			return s.quirk, true
		}
	}
	return 0, false
}

// manners remembers the quirks of models for all lives of a driver.
type manners struct {
	mu sync.Mutex
	of map[string]quirks // by model
}

func (m *manners) get(model string) quirks {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.of[model]
}

func (m *manners) learn(model string, q quirk) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.of[model].has(q) {
		m.of[model] = append(slices.Clone(m.of[model]), q)
	}
}
