package ndjson

import (
	"regexp"
	"strings"

	"kurogo/messages"
)

// A clue is how a CLI, or the service behind it, words what went wrong.
type clue struct {
	words *regexp.Regexp
	class messages.Class
}

// clues in the order in which they win.
var clues = []clue{
	{regexp.MustCompile(`(?i)\b40[13]\b|unauthori[sz]ed|unauthenticated|not logged in|not authenticated|authentication (required|failed)|log ?in (first|to)|api.?key`), messages.ClassAuth},
	{regexp.MustCompile(`(?i)\b(429|529)\b|rate.?limit|too many requests|usage limit|quota|resource.?exhausted|overloaded`), messages.ClassRate},
	{regexp.MustCompile(`(?i)pass --trust|unknown option|invalid option|invalid model|unknown model|model .*not (found|available)|cannot use this model|available models|\b40[04]\b|too long`), messages.ClassInvalid},
	{regexp.MustCompile(`(?i)\b(50[0234]|52[0-4])\b|internal (server )?error|unavailable|bad gateway|gateway time|timed? ?out|ECONN\w*|ENOTFOUND|ETIMEDOUT|socket hang up|connection (error|reset|refused)|network (error|is unreachable)`), messages.ClassServer},
}

// Classify is what a complaint is about, ClassNone if nobody can tell.
func Classify(text string) messages.Class {
	for _, c := range clues {
		if c.words.MatchString(text) {
			return c.class
		}
	}
	return messages.ClassNone
}

// Blame looks for the reason of an end in what an agent complained of: on its
// stderr, and in the last plain line of its output. For the OneShot of an agent
// that says in words only what went wrong.
func Blame(name string, e messages.Exit, plain string) messages.Exit {
	last := ""
	for line := range strings.Lines(e.Stderr + "\n" + plain) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "{") { // some repeat their events there
			continue
		}
		last = line
		if class := Classify(line); class != messages.ClassNone {
			e.Class, e.Reason = class, name+": "+messages.Cut(line, longestComplaint)
			return e
		}
	}
	if last != "" {
		e.Reason += ": " + messages.Cut(last, longestComplaint)
	}
	return e
}
