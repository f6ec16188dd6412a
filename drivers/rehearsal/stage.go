package rehearsal

import (
	"fmt"
	"regexp"
	"strings"

	"kurogo/messages"
)

// A stage is a performance whose conditions are ready to be asked.
type stage struct {
	scenes  []messages.Scene
	matches []*regexp.Regexp // nil where a scene names none
}

func newStage(p messages.Performance) (stage, error) {
	s := stage{scenes: p.Scenes, matches: make([]*regexp.Regexp, len(p.Scenes))}
	for i, scene := range p.Scenes {
		if scene.Match == "" {
			continue
		}
		var err error
		if s.matches[i], err = regexp.Compile(scene.Match); err != nil {
			return stage{}, fmt.Errorf("read scene %q: %w", scene.Name, err)
		}
	}
	return s, nil
}

// lines are what who plays in this turn: those of the first scene that fits.
func (s stage) lines(who messages.Address, c cue) []messages.Line {
	for i, scene := range s.scenes {
		if fits(scene, who, c) && (s.matches[i] == nil || s.matches[i].MatchString(content(c))) {
			return scene.Lines
		}
	}
	head := []rune(content(c))
	return []messages.Line{{Say: fmt.Sprintf("(rehearsal) %s has no scene for: %s", who, string(head[:min(len(head), 80)]))}}
}

func fits(s messages.Scene, who messages.Address, c cue) bool {
	var first messages.CCMessage
	if len(c.Messages) > 0 {
		first = c.Messages[0]
	}
	return plays(s.Who, who) &&
		(s.On == "" || s.On == first.Type) &&
		(s.From == "" || s.From == first.From) &&
		(s.Attempt == 0 || s.Attempt == c.Attempt)
}

// plays reports whether a part is played by who: by that name, by an agent of
// the role in "role:impl-code", or by an agent of any role in "role:*".
func plays(part, who messages.Address) bool {
	if part == "" || part == who {
		return true
	}
	role, ok := strings.CutPrefix(string(part), "role:")
	id, agent := who.Agent()
	return ok && agent && (role == "*" || role == roleOf(id))
}

// number is what an agent's name has behind its role: a time and some digits, or
// the word of a health check in their place.
var number = regexp.MustCompile(`-\d+-[0-9a-z]+\z`)

// roleOf is the role that an agent's id begins with. Roles contain "-": it is
// read from the right, and an id without a number is a role.
func roleOf(id messages.AgentID) string { return number.ReplaceAllString(string(id), "") }

// content is what the turn is about: its messages, or its prompt if it has none.
func content(c cue) string {
	if len(c.Messages) == 0 {
		return c.Text
	}
	parts := make([]string, len(c.Messages))
	for i, m := range c.Messages {
		parts[i] = m.Content
	}
	return strings.Join(parts, "\n")
}
