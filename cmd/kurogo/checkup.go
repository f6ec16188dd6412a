package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"kurogo/actors"
	"kurogo/messages"
	"kurogo/transport/local"
)

// A checkup shows how roles are checked, in the document's three steps. On a
// terminal it is one picture that changes; elsewhere what is new is a line.
type checkup struct {
	*program
	to    io.Writer
	alive bool // the picture can change
	roles []messages.RoleState
	asked map[string]bool // whose prompt is on
	drawn []string
}

// watchCheckup shows the checks that are on until none of the roles is in doubt.
// The cursor since was taken before they began.
func (p *program) watchCheckup(ctx context.Context, h local.House, only string, list []messages.RoleState, since int64) ([]messages.RoleState, error) {
	c := &checkup{program: p, to: p.err, alive: isTerminal(p.err) && p.getenv("TERM") != "dumb", roles: list, asked: map[string]bool{}}
	if p.flags.json {
		c.to = io.Discard
	}
	c.draw(false)
	topic := messages.Topic{Kinds: []messages.EventKind{messages.ModelValidated, messages.RoleCheckBegun, messages.RoleChecked}}
	if only != "" {
		topic.IDs = []string{only}
	}
	for e, err := range h.Watch(ctx, topic, since) {
		if err != nil {
			return nil, err
		}
		r, err := read[messages.RoleState](e)
		if err != nil {
			return nil, fmt.Errorf("read event %d: %w", e.Seq, err)
		}
		c.hear(e.Kind, r)
		if !slices.ContainsFunc(c.roles, checking) { // so it was with this event
			if list, err = rolesOf(ctx, h, only); err != nil || !slices.ContainsFunc(list, checking) {
				c.roles = list
				c.draw(true)
				return list, err
			}
			c.roles = list // and is no more
		}
		c.draw(false)
	}
	return nil, ctx.Err()
}

func (c *checkup) hear(kind messages.EventKind, r messages.RoleState) {
	i := slices.IndexFunc(c.roles, func(known messages.RoleState) bool { return known.ID == r.ID })
	if i < 0 {
		return
	}
	c.asked[r.ID] = kind == messages.RoleCheckBegun
	c.roles[i] = r
}

// draw shows the picture, or what is new in it.
func (c *checkup) draw(done bool) {
	lines := c.lines(done)
	if c.alive {
		back := ""
		if n := len(c.drawn); n > 0 {
			back = fmt.Sprintf("\x1b[%dA\x1b[J", n)
		}
		if most := c.width(c.to); most > 0 { // a line that wraps would be two
			for i := range lines {
				lines[i] = fit(lines[i], most-1)
			}
		}
		fmt.Fprint(c.to, back+strings.Join(lines, "\n")+"\n")
		c.drawn = lines
		return
	}
	for _, line := range lines {
		if !slices.Contains(c.drawn, line) {
			fmt.Fprintln(c.to, line)
			c.drawn = append(c.drawn, line)
		}
	}
}

// lines are the three steps as far as they have come.
func (c *checkup) lines(done bool) []string {
	wide := 0
	for _, r := range c.roles {
		wide = max(wide, len(r.ID)+len(r.Model))
	}
	out := []string{"[1/3] " + c.say("step models")}
	validating := false
	for i, r := range c.roles {
		word := c.validity(r)
		validating = validating || word == ""
		if word == "" {
			word = "· " + c.say("waits")
		}
		model := ""
		if r.Model != "" {
			model = " (" + r.Model + ")"
		}
		out = append(out, fmt.Sprintf("%s %-*s  %s", c.branchOf(i), wide+3, r.ID+model, word))
	}
	if validating {
		return out
	}
	out = append(out, "[2/3] "+c.say("step health"))
	fit := 0
	for i, r := range c.roles {
		if r.Available && !checking(r) {
			fit++
		}
		out = append(out, fmt.Sprintf("%s %-*s  %s", c.branchOf(i), wide+3, r.ID, c.health(r)))
	}
	if done {
		out = append(out, "[3/3] "+c.say("step done"), "  "+fmt.Sprintf(c.say("roles fit"), fit, len(c.roles)))
	}
	return out
}

func (c *checkup) branchOf(i int) string {
	if i == len(c.roles)-1 {
		return "  └─"
	}
	return "  ├─"
}

// validity says what is known of a role's model; "" as long as that is nothing.
func (c *checkup) validity(r messages.RoleState) string {
	switch {
	case r.Validity.Status == messages.ModelValid:
		return "✓ " + c.say("valid")
	case r.Validity.Status == messages.ModelInvalid:
		return "✗ " + c.say("not valid") + ": " + clean(actors.Unavailable(r))
	case r.Validity.CheckedAt.IsZero():
		return ""
	}
	return "? " + c.say("not known") + ": " + clean(r.Validity.Message)
}

func (c *checkup) health(r messages.RoleState) string {
	switch {
	case checking(r) && c.asked[r.ID]:
		return "● " + c.say("checks")
	case checking(r):
		return "· " + c.say("waits")
	case !r.Available:
		return "✗ " + clean(actors.Unavailable(r))
	case r.Health.Status == messages.HealthSkipped:
		return "○ " + clean(r.Health.Reason)
	}
	return "✓ OK (" + span(time.Duration(r.Health.ResponseTime)*time.Millisecond) + ")"
}
