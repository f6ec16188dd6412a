package files

import (
	"fmt"
	"strconv"
	"strings"

	"kurogo/messages"
)

// What a patch may hold.
const (
	mostPatched = 100     // files
	patchBytes  = 2 << 20 // of one patch
)

// nowhere is the name of a file that is not there.
const nowhere = "/dev/null"

// A filePatch is what a patch does to one file. from and to differ where it is
// renamed; one of them is "" where the file is made or deleted.
type filePatch struct {
	from, to string
	hunks    []hunk
	line     int // of the patch, where it begins
}

// A hunk replaces lines, which keep their line ends.
type hunk struct {
	at       int // where the old lines begin, from 1; a hint
	old, new []string
	line     int
}

// A diffReader goes through a patch line by line.
type diffReader struct {
	lines []string // with their ends
	n     int
}

func (r *diffReader) fail(line int, format string, args ...any) error {
	return messages.Invalid("patch", "line %d: %s", line, fmt.Sprintf(format, args...)).
		Try("send a unified diff: --- a/path, +++ b/path, @@ -1,3 +1,4 @@, then lines that begin with a space, - or +")
}

func (r *diffReader) peek() (string, bool) {
	if r.n == len(r.lines) {
		return "", false
	}
	return strings.TrimRight(r.lines[r.n], "\r\n"), true
}

// parsePatch reads a unified diff, of git or of diff -u. What stands between the
// files is passed over, as patch does it. Refusals: invalid, naming the line.
func parsePatch(text string) ([]filePatch, error) {
	if len(text) > patchBytes {
		return nil, messages.Invalid("patch", "%d bytes are over %d", len(text), patchBytes).Try("send several patches")
	}
	r := &diffReader{lines: strings.SplitAfter(text, "\n")}
	if last := len(r.lines) - 1; r.lines[last] == "" {
		r.lines = r.lines[:last]
	}
	var out []filePatch
	for {
		p, ok, err := r.file()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		if out = append(out, p); len(out) > mostPatched {
			return nil, r.fail(p.line, "there are more than %d files", mostPatched)
		}
	}
	if len(out) == 0 {
		return nil, r.fail(1, "there is no file in it")
	}
	return out, nil
}

// A heading is what stands above the hunks of one file.
type heading struct {
	from, to               string // of --- and +++, as they are
	renamedFrom, renamedTo string
	old, git               bool
}

// file reads the next file of the patch; ok is false at its end.
func (r *diffReader) file() (p filePatch, ok bool, err error) {
	var h heading
	for {
		line, more := r.peek()
		if !more || h.git && strings.HasPrefix(line, "diff --git ") {
			break
		}
		rest, is := "", false
		switch {
		case strings.HasPrefix(line, "GIT binary patch"), strings.HasPrefix(line, "Binary files "):
			return p, false, r.fail(r.n+1, "it changes a binary file")
		case strings.HasPrefix(line, "diff --git "):
			h, p.line = heading{git: true}, r.n+1
		case cut(line, "rename from ", &rest, &is):
			h.renamedFrom = rest
		case cut(line, "rename to ", &rest, &is):
			h.renamedTo = rest
		case strings.HasPrefix(line, "copy from "):
			return p, false, r.fail(r.n+1, "it copies a file")
		case cut(line, "--- ", &rest, &is):
			h.from, h.old = rest, true
			if p.line == 0 {
				p.line = r.n + 1
			}
		case h.old && cut(line, "+++ ", &rest, &is):
			h.to = rest
			r.n++
			if err := p.named(h, r); err != nil {
				return p, false, err
			}
			p.hunks, err = r.hunks()
			return p, true, err
		case h.old || strings.HasPrefix(line, "@@ "):
			return p, false, r.fail(r.n+1, "a +++ line is missing above it")
		}
		r.n++
	}
	switch {
	case h.old:
		return p, false, r.fail(r.n, "a +++ line is missing")
	case h.renamedFrom != "" && h.renamedTo != "": // and nothing else
		p.from, p.to = h.renamedFrom, h.renamedTo
		return p, true, p.unquoted(r)
	case h.git:
		return p, false, r.fail(p.line, "it changes nothing of the file but its mode, or makes an empty one")
	}
	return p, false, nil
}

// cut is strings.CutPrefix in a switch.
func cut(line, prefix string, rest *string, is *bool) bool {
	*rest, *is = strings.CutPrefix(line, prefix)
	return *is
}

// named takes the names from the heading: without the time behind a tab, without
// quotes, and without the a/ and b/ that most diffs put in front of both.
func (p *filePatch) named(h heading, r *diffReader) error {
	p.from, _, _ = strings.Cut(h.from, "\t")
	p.to, _, _ = strings.Cut(h.to, "\t")
	if err := p.unquoted(r); err != nil {
		return err
	}
	a, isA := strings.CutPrefix(p.from, "a/")
	b, isB := strings.CutPrefix(p.to, "b/")
	if (isA || p.from == nowhere) && (isB || p.to == nowhere) {
		p.from, p.to = a, b
	}
	if p.from == nowhere {
		p.from = ""
	}
	if p.to == nowhere {
		p.to = ""
	}
	switch {
	case p.from == "" && p.to == "":
		return r.fail(p.line, "it names no file")
	case p.from != "" && p.to != "" && p.from != p.to && !h.git:
		p.from = p.to // diff -u of two copies: the new name counts
	}
	return nil
}

func (p *filePatch) unquoted(r *diffReader) error {
	for _, name := range []*string{&p.from, &p.to} {
		*name = strings.TrimRight(*name, " ")
		if !strings.HasPrefix(*name, `"`) {
			continue
		}
		plain, err := strconv.Unquote(*name)
		if err != nil {
			return r.fail(p.line, "%s is no name", shown(*name))
		}
		*name = plain
	}
	return nil
}
