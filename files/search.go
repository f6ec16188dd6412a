package files

import (
	"bytes"
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"kurogo/messages"
)

// What a search may cost.
const (
	usualMatches  = 100
	mostMatches   = 1000
	mostSearched  = 20_000   // files
	mostScanned   = 64 << 20 // bytes
	deepest       = 64       // directories
	lineShown     = 400      // bytes of a line
	patternLength = 1000
)

// Search finds lines. What is kept, what is not allowed, and what is no text is
// passed over; so are links, which a search must not follow in circles.
func (w *Workspace) Search(ctx context.Context, m messages.SearchText) (messages.TextFound, error) {
	s := search{w: w, out: messages.TextFound{Matches: []messages.TextMatch{}}, most: m.MaxItems, left: mostScanned, wanted: dotted(m.Extensions)}
	if s.most <= 0 {
		s.most = usualMatches
	}
	s.most = min(s.most, mostMatches)
	var err error
	if s.match, err = matcher(m); err != nil {
		return s.out, err
	}
	if m.Path == "" {
		m.Path = "."
	}
	rel, err := w.clean(m.Path)
	if err != nil {
		return s.out, err
	}
	info, err := w.root.Lstat(rel)
	switch {
	case err != nil:
		return s.out, explain(m.Path, err)
	case info.IsDir():
		_, err = s.below(ctx, rel, 0)
	default:
		if err = w.allowed(m.Path, rel); err == nil {
			_, err = s.file(rel)
		}
	}
	return s.out, err
}

// matcher compiles what is wanted of a line.
func matcher(m messages.SearchText) (*regexp.Regexp, error) {
	if m.Pattern == "" || len(m.Pattern) > patternLength {
		return nil, messages.Invalid("pattern", "it has %d bytes", len(m.Pattern)).Try("give 1 to 1000")
	}
	text := m.Pattern
	if !m.Regexp {
		text = regexp.QuoteMeta(text)
	}
	if m.IgnoreCase {
		text = "(?i)" + text
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, messages.Invalid("pattern", "it is no regular expression: %v", err).Try("use RE2 syntax, or leave regexp out to search for the text itself")
	}
	return re, nil
}

type search struct {
	w      *Workspace
	match  *regexp.Regexp
	wanted []string
	most   int
	left   int64
	out    messages.TextFound
}

// below searches a directory; goOn is false when the search has had enough.
func (s *search) below(ctx context.Context, dir string, depth int) (goOn bool, err error) {
	if depth > deepest {
		s.out.Truncated = true
		return true, nil
	}
	entries, more, err := s.w.entries(ctx, dir, dir)
	if err != nil {
		return depth > 0, unless(depth > 0, err) // it has gone, or is a mount
	}
	s.out.Truncated = s.out.Truncated || more
	for _, e := range entries {
		if err := alive(ctx); err != nil {
			return false, err
		}
		name, goOn := path.Join(dir, e.Name()), true
		switch {
		case slices.Contains(s.w.kept, plain(e.Name())):
		case e.IsDir():
			goOn, err = s.below(ctx, name, depth+1)
		case e.Type().IsRegular() && s.wants(name):
			if goOn, err = s.file(name); messages.IsCode(err, messages.CodeInternal) {
				return false, err
			}
			err = nil // not for us: too large, no text, gone
		}
		if err != nil || !goOn {
			return false, err
		}
	}
	return true, nil
}

func unless(yes bool, err error) error {
	if yes {
		return nil
	}
	return err
}

func (s *search) wants(name string) bool {
	ext := path.Ext(name)
	return slices.Contains(s.w.o.Extensions, ext) && (len(s.wanted) == 0 || slices.Contains(s.wanted, ext))
}

func (s *search) file(rel string) (goOn bool, err error) {
	if s.out.Files == mostSearched || s.left <= 0 {
		s.out.Truncated = true
		return false, nil
	}
	content, err := s.w.read(rel)
	if err != nil {
		return true, err
	}
	s.out.Files++
	s.left -= int64(len(content))
	number := 0
	for line := range bytes.Lines(content) {
		number++
		line = bytes.TrimRight(line, "\r\n")
		if !s.match.Match(line) {
			continue
		}
		if len(s.out.Matches) == s.most {
			s.out.Truncated = true
			return false, nil
		}
		text := strings.ToValidUTF8(messages.Cut(string(line), lineShown), "")
		s.out.Matches = append(s.out.Matches, messages.TextMatch{Path: rel, Line: number, Text: text})
	}
	return true, nil
}
