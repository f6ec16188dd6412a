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
		if !slices.Contains([]string{"", "isolated", "shared"}, d.Config) {
			l.report(at.key("config"), oneOf([]string{"isolated", "shared"}), "%q is not known here", d.Config)
		}
		if d.Performance != "" {
			d.Performance = l.absolute(d.Performance)
			l.checkPerformance(at.key("performance"), d)
		}
		c.Drivers[name] = d
	}
	if c.Driver != "" {
		l.knownDriver(path{"driver"}, c.Driver, c)
	}
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

func (l *loading) knownDriver(at path, name string, c *Config) {
	if _, ok := c.Drivers[name]; !ok {
		l.report(at, instead(name, slices.Collect(maps.Keys(c.Drivers))), "there is no driver %q", name)
	}
}
