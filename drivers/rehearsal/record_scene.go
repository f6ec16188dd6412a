package rehearsal

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"kurogo/messages"
)

const (
	longestWait = 2 * time.Second  // before one line
	allWaits    = 30 * time.Second // before all lines of one turn
	patience    = 10 * time.Minute // of one whose task ends without it
)

// perform makes the takes a performance, scene by scene in their order.
func (r *recorder) perform(hide func(string) string) (Recording, error) {
	out := Recording{Performance: messages.Performance{
		Title: "recorded from task " + string(r.first.Metadata.TaskID), Task: hide(r.first.Content),
	}}
	note := func(format string, args ...any) { out.Notes = append(out.Notes, fmt.Sprintf(format, args...)) }
	falls := map[messages.MessageID]int{}
	var cues []cue
	for n, t := range r.takes {
		name := fmt.Sprintf("%d: %s", n+1, t.who)
		c := r.cue(t, hide)
		c.Attempt = falls[t.asked[0]] + 1
		switch t.ending {
		case unended:
			note("%s is still at it: that turn is left out", t.who)
			continue
		case rested: // it costs no attempt
			continue
		case fell:
			falls[t.asked[0]]++
		case done, failed, overtook:
		}
		s := messages.Scene{Name: name, Who: t.who, Match: r.match(c), Lines: hidden(r.script(t), hide)}
		s.On, s.From = alike(c.Messages)
		if t.ending == fell {
			s.Attempt = c.Attempt
		}
		if t.refused > 0 {
			note("%s: %d messages that were refused are left out: their content is not known", name, t.refused)
		}
		if slices.ContainsFunc(s.Lines, expands) {
			note("%s: it said %s, which means something else in a script", name, placeholder)
		}
		out.Performance.Scenes = append(out.Performance.Scenes, s)
		cues = append(cues, c)
	}
	if err := rehearse(out.Performance.Scenes, cues, note); err != nil {
		return out, err
	}
	for _, who := range slices.Sorted(maps.Keys(r.roles)) {
		out.Performance.Scenes = append(out.Performance.Scenes, messages.Scene{
			Name: "role check: " + string(who), Who: who, On: messages.Info, From: messages.System, Lines: hidden(r.roles[who], hide),
		})
	}
	return out, nil
}

// rehearse asks the stage for every turn, and notes those in which another
// scene would be played.
func rehearse(scenes []messages.Scene, cues []cue, note func(string, ...any)) error {
	s, err := newStage(messages.Performance{Scenes: scenes})
	if err != nil {
		return err
	}
	for i, c := range cues {
		for range 2 {
			if got := s.lines(scenes[i].Who, c); !reflect.DeepEqual(timeless(got), timeless(scenes[i].Lines)) {
				note("%s: another scene is played for the same messages", scenes[i].Name)
				break
			}
			slices.Reverse(c.Messages) // answers come in any order
		}
	}
	return nil
}

// timeless are the lines without their waits.
func timeless(lines []messages.Line) []messages.Line {
	out := slices.Clone(lines)
	for i := range out {
		out[i].Wait = 0
	}
	return out
}

// expands reports whether a player would put the turn's content into a line.
func expands(l messages.Line) bool {
	return strings.Contains(l.Say+l.Fail, placeholder) || l.Send != nil && strings.Contains(l.Send.Content, placeholder)
}

const placeholder = "{{content}}"

// cue is the turn as the player will be given it.
func (r *recorder) cue(t *take, hide func(string) string) cue {
	var c cue
	for _, id := range t.asked {
		m := r.letters[id]
		m.Content = hide(m.Content)
		c.Messages = append(c.Messages, m)
	}
	return c
}

// alike is the type and the sender of messages that all have the same.
func alike(all []messages.CCMessage) (on messages.Type, from messages.Address) {
	on, from = all[0].Type, all[0].From
	for _, m := range all[1:] {
		if m.Type != on {
			on = ""
		}
		if m.From != from {
			from = ""
		}
	}
	return on, from
}

// recognised is how much of all the messages of a turn is looked at.
const recognised = 2000

// match recognises the messages of a turn in any order.
func (r *recorder) match(c cue) string {
	parts := make([]string, len(c.Messages))
	for i, m := range c.Messages {
		if m.From == messages.System || m.Type == messages.TaskFailed && r.dead[m.Metadata.TaskID] {
			parts[i] = ".*" // it names processes and ids, which will be others
			continue
		}
		parts[i] = outline(m.Content, recognised/len(c.Messages))
	}
	if len(parts) == 1 {
		return "(?s)^" + parts[0] + "$"
	}
	slices.Sort(parts)
	one := strings.Join(slices.Compact(parts), "|")
	return fmt.Sprintf(`(?s)^(?:%s)(?:\n(?:%s)){%d}$`, one, one, len(c.Messages)-1)
}

// outline is a pattern for a text: all of it, or of a long one both ends.
func outline(text string, limit int) string {
	runes := []rune(text)
	if len(runes) <= limit {
		return regexp.QuoteMeta(text)
	}
	return regexp.QuoteMeta(string(runes[:limit/2])) + ".*" + regexp.QuoteMeta(string(runes[len(runes)-limit/2:]))
}

// script is what was done in a take, as lines with waits between them.
func (r *recorder) script(t *take) []messages.Line {
	slices.SortStableFunc(t.lines, func(a, b timed) int {
		return a.at.Truncate(time.Millisecond).Compare(b.at.Truncate(time.Millisecond))
	})
	var out []messages.Line
	before, left := t.begun, allWaits
	pause := func(until time.Time) time.Duration {
		wait := max(0, min(until.Sub(before), longestWait, left).Round(time.Millisecond))
		before, left = until, left-wait
		return wait
	}
	last := &messages.Line{}
	for _, l := range t.lines {
		l.line.Wait = pause(l.at)
		out = append(out, l.line)
	}
	for i := range out {
		if out[i].Say != "" {
			last = &out[i]
		}
	}
	return append(out, r.end(t, last, pause(t.ended))...)
}

// end is what a take ends with, after a wait. Its answer goes without saying
// where it is what was said last.
func (r *recorder) end(t *take, last *messages.Line, wait time.Duration) []messages.Line {
	switch t.ending {
	case fell:
		return []messages.Line{{Wait: wait, Crash: statusOf(t.reason)}}
	case failed:
		return []messages.Line{{Wait: wait, Fail: cmp.Or(t.reason, "it failed")}}
	case overtook:
		if a := r.answers[t.task]; a.From == t.who && a.Content != "" {
			return []messages.Line{{Wait: wait, Fail: a.Content}}
		}
		return []messages.Line{{Wait: patience, Fail: cmp.Or(t.reason, "its task has ended")}}
	case done, unended, rested:
	}
	switch a := t.answer; {
	case a != nil && (t.early || a.Type != messages.TaskComplete || messages.Cut(a.Content, utterance) != last.Say):
		return []messages.Line{{Wait: wait, Send: &messages.Cue{To: a.To, Type: a.Type, Content: a.Content, Thinking: a.Thinking}}}
	case len(t.lines) == 0:
		return []messages.Line{{Wait: wait, Babble: "\n"}} // it did nothing, and a scene must have a line
	case a != nil && last.Say != "":
		last.Say = a.Content // whole
	}
	return nil
}

// utterance is how much of what is said an event carries.
const utterance = 32 << 10

// statusOf is the status with which somebody fell, 1 where it was none.
func statusOf(reason string) int {
	_, text, _ := strings.Cut(reason, "ended with status ")
	if n, err := strconv.Atoi(text); err == nil && n > 0 && n < 256 {
		return n
	}
	return 1
}

// hidden are the lines without what is not for everybody's eyes.
func hidden(lines []messages.Line, hide func(string) string) []messages.Line {
	out := slices.Clone(lines)
	for i := range out {
		l := &out[i]
		for _, text := range []*string{&l.Think, &l.Say, &l.Fail} {
			*text = hide(*text)
		}
		if l.Send != nil {
			c := *l.Send
			c.Content, c.Thinking = hide(c.Content), hide(c.Thinking)
			l.Send = &c
		}
	}
	return out
}
