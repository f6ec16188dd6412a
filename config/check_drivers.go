package config

import (
	"errors"
	"maps"
	"slices"
)

func (l *loading) checkDrivers(c *Config) {
	for name, d := range c.Drivers {
		at := path{"drivers", name}
		if !slices.Contains(Kinds(), d.Kind) {
			l.report(at.key("kind"), oneOf(Kinds()), "%q is no kind of driver", d.Kind)
			continue
		}
		if d.Command == "" {
			d.Command = commands[d.Kind]
		}
		if d.Command == "" && d.Kind == "command" {
			l.report(at.key("command"), `write command = "…"`, "a driver of kind \"command\" has nothing to run")
		}
		if d.Config != "" {
			known(l.report, at.key("config"), d.Config, []string{"isolated", "shared"})
		}
		if words, closed := permissions[d.Kind]; closed && d.Permission != "" {
			known(l.report, at.key("permission"), d.Permission, words)
		}
		if d.Performance != "" {
			d.Performance = l.absolute(d.Performance)
			l.checkPerformance(at.key("performance"), d)
		}
		l.checkOutput(at, d)
		l.checkModel(at, &d)
		c.Drivers[name] = d
	}
	if c.Driver != "" {
		l.knownDriver(path{"driver"}, c.Driver, c)
	}
}

// permissions are the words of those CLIs that cannot tell one tool from another.
var permissions = map[string][]string{
	"codex":  {"allow", "edits", "deny", "read-only", "workspace-write", "danger-full-access"},
	"cursor": {"allow", "edits", "deny"},
}

// checkPerformance finds a broken script now, not when the curtain is up.
func (l *loading) checkPerformance(at path, d Driver) {
	if d.Kind != "rehearsal" {
		l.report(at, "remove it, or write kind = \"rehearsal\"", "a driver of kind %q performs nothing", d.Kind)
		return
	}
	script, err := read(d.Performance)
	if err != nil {
		l.report(at, `name a script, or "" for the shipped one`, "%v", err)
		return
	}
	var ps Problems
	if _, err := parsePerformance(l.shown(d.Performance), script); errors.As(err, &ps) {
		l.problems = append(l.problems, ps...)
	}
}

// The keys of a driver of kind command, whose two ways of speaking are these.
const (
	outputText   = "text"
	outputNDJSON = "ndjson"
)

// checkOutput wants a mapping where there are lines to map, and nowhere else.
func (l *loading) checkOutput(at path, d Driver) {
	given := map[string]bool{"output": d.Output != "", "type": d.Type != "", "session": d.Session != "", "events": len(d.Events) > 0}
	if d.Output != "" {
		known(l.report, at.key("output"), d.Output, []string{outputText, outputNDJSON})
	}
	for _, key := range []string{"output", "type", "session", "events"} {
		switch {
		case given[key] && d.Kind != "command":
			l.report(at.key(key), "remove it, or write kind = \"command\"", "Kurogo knows how a driver of kind %q speaks", d.Kind)
		case given[key] && key != "output" && d.Output != outputNDJSON:
			l.report(at.key(key), `write output = "ndjson" too`, "it is read from lines of JSON only")
		}
	}
	if d.Kind != "command" || d.Output != outputNDJSON {
		return
	}
	if !given["events"] {
		l.report(at.key("output"), `write at least [drivers.NAME.events.TYPE] with kind = "said" and text = "…"`, "no type of line means anything")
	}
	for _, name := range slices.Sorted(maps.Keys(d.Events)) {
		l.checkEvent(at.key("events").key(name), d.Events[name])
	}
}

// needs are the keys of which an event of a kind must have one.
var needs = map[string][]string{
	"said": {"text"}, "thought": {"text"}, "warned": {"text"}, "tool": {"name"}, "tool_started": {"name"}, "tool_ended": {"id"},
	"used": {"input_tokens", "output_tokens", "cached_tokens", "cost"}, "ended": nil, "failed": nil, "ignored": nil,
}

func (l *loading) checkEvent(at path, e DriverEvent) {
	if e.Kind == "" && e.Each != "" {
		return
	}
	keys, ok := needs[e.Kind]
	if !ok {
		known(l.report, at.key("kind"), e.Kind, slices.Sorted(maps.Keys(needs)))
		return
	}
	has := map[string]string{
		"text": e.Text, "name": e.Name, "id": e.ID, "input_tokens": e.InputTokens, "output_tokens": e.OutputTokens,
		"cached_tokens": e.CachedTokens, "cost": e.Cost,
	}
	if len(keys) > 0 && !slices.ContainsFunc(keys, func(key string) bool { return has[key] != "" }) {
		l.report(at.key(keys[0]), "write the path of it within the line", "an event of kind %q must say it", e.Kind)
	}
}

func (l *loading) knownDriver(at path, name string, c *Config) {
	if _, ok := c.Drivers[name]; !ok {
		l.report(at, instead(name, slices.Collect(maps.Keys(c.Drivers))), "there is no driver %q", name)
	}
}
