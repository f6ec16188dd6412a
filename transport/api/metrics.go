package api

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Metrics is how the house is, in plain values. What is not known is left empty.
type Metrics struct {
	Version   string
	StartedAt time.Time
	Rehearsal bool

	Agents   map[string]int // by state
	Slots    int            // agents that may work at once
	Working  int            // that do
	Queue    int            // that wait for a slot
	Tasks    map[string]int // by state
	Personas map[string]int // by state
	Mailbox  map[string]int // messages that wait, by persona

	Spending map[string]Spending // by model

	Commits       int64   // transactions of the journal
	CommitSeconds float64 // that they took together
	Changes       int64   // that they held
	Events        int64   // of the journal
	Watchers      int
	Clients       map[string]int // connected, by transport
}

// Spending is what turns have cost.
type Spending struct {
	Turns, InputTokens, OutputTokens, CachedTokens, Micros int64
}

func (s *server) metrics(w http.ResponseWriter, r *http.Request) error {
	m, err := s.o.Metrics(r.Context())
	if err != nil {
		return err
	}
	text := m.text()
	h := w.Header()
	h.Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	s.hurry(w)
	_, _ = w.Write(text) // a client that has gone needs no answer
	return nil
}

// agentStates are told even when nobody is in them, so that a graph of them has
// no holes.
var agentStates = []string{"queued", "running", "completed", "failed", "timed_out", "cancelled", "lost", "result_reported"}

func (m Metrics) text() []byte {
	var p page
	p.family("kurogo_info", "gauge", "The version that runs.")
	p.sample("kurogo_info", labels("version", m.Version, "rehearsal", strconv.FormatBool(m.Rehearsal)), 1)
	if !m.StartedAt.IsZero() {
		p.one("kurogo_start_time_seconds", "gauge", "When it was started, in seconds since 1970.", float64(m.StartedAt.UnixMilli())/1000)
	}
	agents := make(map[string]int, len(agentStates))
	for _, state := range agentStates {
		agents[state] = 0
	}
	maps.Copy(agents, m.Agents)
	p.counts("kurogo_agents", "Agents by state.", "state", agents)
	p.one("kurogo_agent_slots", "gauge", "Agents that may work at once.", float64(m.Slots))
	p.one("kurogo_agents_working", "gauge", "Agents that hold a slot.", float64(m.Working))
	p.one("kurogo_agent_queue", "gauge", "Agents that wait for a slot.", float64(m.Queue))
	p.counts("kurogo_tasks", "Tasks by state.", "state", m.Tasks)
	p.counts("kurogo_personas", "Personas by state.", "state", m.Personas)
	p.counts("kurogo_mailbox_depth", "Messages that wait, by persona.", "persona", m.Mailbox)
	m.spending(&p)
	p.one("kurogo_commits_total", "counter", "Transactions of the journal.", float64(m.Commits))
	p.one("kurogo_commit_seconds_total", "counter", "Time that they took.", m.CommitSeconds)
	p.one("kurogo_changes_total", "counter", "Changes that they held.", float64(m.Changes))
	p.one("kurogo_events_total", "counter", "Events of the journal.", float64(m.Events))
	p.one("kurogo_watchers", "gauge", "Watches that are open.", float64(m.Watchers))
	p.counts("kurogo_clients", "Connected clients, by transport.", "transport", m.Clients)
	return p.Bytes()
}

func (m Metrics) spending(p *page) {
	models := slices.Sorted(maps.Keys(m.Spending))
	each := func(name, help string, value func(Spending) float64) {
		p.family(name, "counter", help)
		for _, model := range models {
			p.sample(name, labels("model", model), value(m.Spending[model]))
		}
	}
	each("kurogo_turns_total", "Turns, by model.", func(s Spending) float64 { return float64(s.Turns) })
	p.family("kurogo_tokens_total", "counter", "Tokens, by model and kind.")
	for _, model := range models {
		s := m.Spending[model]
		p.sample("kurogo_tokens_total", labels("model", model, "kind", "input"), float64(s.InputTokens))
		p.sample("kurogo_tokens_total", labels("model", model, "kind", "output"), float64(s.OutputTokens))
		p.sample("kurogo_tokens_total", labels("model", model, "kind", "cached"), float64(s.CachedTokens))
	}
	each("kurogo_cost_usd_total", "Dollars, by model.", func(s Spending) float64 { return float64(s.Micros) / 1e6 })
}

// A page is text in the format of Prometheus, version 0.0.4.
type page struct{ bytes.Buffer }

func (p *page) family(name, kind, help string) {
	fmt.Fprintf(p, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

func (p *page) sample(name, labels string, value float64) {
	fmt.Fprintf(p, "%s%s %s\n", name, labels, strconv.FormatFloat(value, 'g', -1, 64))
}

func (p *page) one(name, kind, help string, value float64) {
	p.family(name, kind, help)
	p.sample(name, "", value)
}

func (p *page) counts(name, help, label string, by map[string]int) {
	p.family(name, "gauge", help)
	for _, key := range slices.Sorted(maps.Keys(by)) {
		p.sample(name, labels(label, key), float64(by[key]))
	}
}

var escape = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// labels are written from names and values in turn.
func labels(pairs ...string) string {
	var out []string
	for pair := range slices.Chunk(pairs, 2) {
		out = append(out, pair[0]+`="`+escape.Replace(strings.ToValidUTF8(pair[1], "\uFFFD"))+`"`)
	}
	return "{" + strings.Join(out, ",") + "}"
}
