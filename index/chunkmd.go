package index

import (
	"bytes"
	"strings"
)

// cutMarkdown cuts at headings. A section's symbol is its heading below those it
// stands under.
func cutMarkdown(l lines) []chunk {
	var spans []span
	var above [6]string
	fence := ""
	for i := range l.len() {
		line := l.at(i)
		if mark := fenceOf(line); mark != "" {
			switch {
			case fence == "":
				fence = mark
			case mark[0] == fence[0] && len(mark) >= len(fence):
				fence = ""
			}
			continue
		}
		level, title := headingOf(line)
		if fence != "" || level == 0 {
			continue
		}
		above[level-1] = title
		clear(above[level:])
		if n := len(spans); n > 0 {
			spans[n-1].to = i
		}
		spans = append(spans, span{from: i, to: l.len(), symbol: trail(above[:level])})
	}
	return l.chunks(spans)
}

func trail(titles []string) string {
	var out []string
	for _, t := range titles {
		if t != "" {
			out = append(out, t)
		}
	}
	return strings.Join(out, " > ")
}

func headingOf(line []byte) (level int, title string) {
	for level < len(line) && line[level] == '#' {
		level++
	}
	if level == 0 || level > 6 || level < len(line) && line[level] != ' ' && line[level] != '\t' {
		return 0, ""
	}
	return level, string(bytes.Trim(line[level:], "# \t"))
}

// fenceOf is the run of marks that opens or closes a block of code.
func fenceOf(line []byte) string {
	line = bytes.TrimLeft(line, " ")
	for _, mark := range []byte("`~") {
		n := 0
		for n < len(line) && line[n] == mark {
			n++
		}
		if n >= 3 {
			return string(line[:n])
		}
	}
	return ""
}
