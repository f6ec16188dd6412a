package config

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"kurogo/messages"
)

// Hierarchy is the crew as the router wants it.
func (c Config) Hierarchy() messages.Hierarchy {
	h := make(messages.Hierarchy, len(c.Personas))
	for name, p := range c.Personas {
		h[messages.Address(name)] = messages.Persona{
			Name:         messages.Address(name),
			Title:        p.Title,
			Driver:       p.Driver,
			Model:        p.Model,
			ReportsTo:    p.ReportsTo,
			TalksTo:      slices.Clone(p.TalksTo),
			SystemPrompt: p.SystemPrompt,
			Gather:       p.Gather,
			RoleCheck:    p.RoleCheck,
		}
	}
	return h
}

// checkCrew is told whether the tree has a table of personas at all: if it has
// something else, that has been refused.
func (l *loading) checkCrew(c *Config, listed bool) {
	names := slices.Sorted(maps.Keys(c.Personas))
	if listed && len(names) == 0 {
		l.report(path{"personas"}, "add [personas.grand_boss], or remove [personas] for the built-in crew", "the crew is empty")
	}
	for _, name := range names {
		p := c.Personas[name]
		l.checkSuperior(c, name, p)
		if p.TalksTo == nil {
			p.TalksTo = c.neighbours(name)
		}
		l.checkTalk(c, name, p)
		if p.Gather != messages.All && p.Gather != messages.Each {
			l.report(path{"personas", name, "gather"}, oneOf([]messages.Gather{messages.All, messages.Each}), "%q is not known here", p.Gather)
		}
		if p.Driver == "" {
			p.Driver, p.undecided = cmp.Or(c.Driver, personaDriver), true
		} else {
			l.knownDriver(path{"personas", name, "driver"}, p.Driver, c)
		}
		l.introduce(c.Language, name, &p)
		c.Personas[name] = p
	}
	l.checkCycles(c, names)
}

func (l *loading) checkSuperior(c *Config, name string, p Persona) {
	at := path{"personas", name, "reports_to"}
	switch {
	case p.ReportsTo == messages.User:
	case p.ReportsTo == "":
		l.report(at, `write reports_to = "user", or the name of its superior`, "%s reports to nobody", name)
	case !c.has(p.ReportsTo):
		l.report(at, c.somebody(p.ReportsTo, "user"), "%s reports to %s, who is not in the crew", name, p.ReportsTo)
	}
}

func (l *loading) checkTalk(c *Config, name string, p Persona) {
	for i, to := range p.TalksTo {
		at := path{"personas", name, "talks_to"}.at(i)
		switch {
		case string(to) == name:
			l.report(at, "remove it", "%s talks to itself", name)
		case to == messages.User:
			l.report(at, "remove it: who reports to the user answers the user anyway", "nobody writes to the user unasked")
		case !c.has(to):
			l.report(at, c.somebody(to), "%s talks to %s, who is not in the crew", name, to)
		}
	}
}

func (c *Config) has(a messages.Address) bool {
	_, ok := c.Personas[string(a)]
	return ok && a != messages.User
}

func (c *Config) somebody(wrong messages.Address, also ...string) string {
	return instead(string(wrong), append(slices.Sorted(maps.Keys(c.Personas)), also...))
}

// neighbours are whom a persona may write to when the file does not say: its
// superior and those who report to it.
func (c *Config) neighbours(name string) []messages.Address {
	out := []messages.Address{}
	if up := c.Personas[name].ReportsTo; c.has(up) && string(up) != name {
		out = append(out, up)
	}
	for _, other := range slices.Sorted(maps.Keys(c.Personas)) {
		if other != name && string(c.Personas[other].ReportsTo) == name {
			out = append(out, messages.Address(other))
		}
	}
	return out
}

// checkCycles reports each ring of superiors once, at its first name.
func (l *loading) checkCycles(c *Config, names []string) {
	done := map[string]bool{}
	for _, name := range names {
		var way []string
		for at := name; !done[at]; at = string(c.Personas[at].ReportsTo) {
			if i := slices.Index(way, at); i >= 0 {
				l.reportCycle(way[i:])
				break
			}
			if !c.has(messages.Address(at)) {
				break
			}
			way = append(way, at)
		}
		for _, seen := range way {
			done[seen] = true
		}
	}
}

func (l *loading) reportCycle(ring []string) {
	first := slices.Min(ring)
	i := slices.Index(ring, first)
	ring = append(slices.Concat(ring[i:], ring[:i]), first)
	l.report(path{"personas", first, "reports_to"}, `let one of them report to "user"`, "the superiors go round in a circle: %s", strings.Join(ring, " → "))
}
