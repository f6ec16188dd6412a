package evaluate

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

type code struct {
	line     int
	language string
	text     string
	fenced   bool
	closed   bool
	swallows int  // the line of another fence with a language in it; 0 is none
	led      bool // a sentence leads to it
}

func (p *page) addCode(n ast.Node) {
	c := code{closed: true, text: p.raw(n)}
	at := n.Lines()
	f, fenced := n.(*ast.FencedCodeBlock)
	switch {
	case fenced && f.Info != nil:
		c.line, c.language = p.lineAt(f.Info.Segment.Start), strings.ToLower(string(f.Language(p.source)))
	case at.Len() > 0 && fenced:
		c.line = p.lineAt(at.At(0).Start) - 1
	case at.Len() > 0:
		c.line = p.lineAt(at.At(0).Start)
	default:
		c.line = p.fenceAfter(n)
	}
	if c.fenced = fenced; fenced {
		last := c.line
		if at.Len() > 0 {
			last = p.lineAt(at.At(at.Len() - 1).Start)
		}
		c.closed = isFence(p.line(last + 1))
		c.swallows = p.fenceWithin(c.line, last)
	}
	before := n.PreviousSibling()
	_, paragraph := before.(*ast.Paragraph)
	_, text := before.(*ast.TextBlock)
	c.led = paragraph || text
	p.mask(n)
	p.codes = append(p.codes, c)
}

// fenceAfter looks for a fence with nothing in it, which has no place of its own:
// the first behind what was read before.
func (p *page) fenceAfter(n ast.Node) int {
	from := 1
	if len(p.codes) > 0 {
		from = p.codes[len(p.codes)-1].line + 1
	}
	if prev := n.PreviousSibling(); prev != nil && prev.Type() == ast.TypeBlock && prev.Lines().Len() > 0 {
		from = max(from, p.lineAt(prev.Lines().At(prev.Lines().Len()-1).Start)+1)
	}
	for line := from; line <= len(p.starts); line++ {
		if text := p.line(line); strings.Contains(text, "```") || strings.Contains(text, "~~~") {
			return line
		}
	}
	return min(from, len(p.starts))
}

// fenceWithin finds the opening of another block between a fence and its last line,
// which tells that the first one was never closed.
func (p *page) fenceWithin(open, last int) int {
	long := fenceLength(p.line(open))
	for n := open + 1; n <= last; n++ {
		if line := p.line(n); isFence(line) && fenceLength(line) >= long && fenceLength(line) < len(strings.TrimSpace(line)) {
			return n
		}
	}
	return 0
}

func fenceLength(line string) int {
	line = strings.TrimLeft(line, " \t>")
	if line == "" {
		return 0
	}
	return len(line) - len(strings.TrimLeft(line, line[:1]))
}

func isFence(line string) bool {
	line = strings.TrimLeft(line, " \t>")
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}

// shownCode counts the blocks of code that have something in them.
func (p *page) shownCode() int {
	n := 0
	for _, c := range p.codes {
		if strings.TrimSpace(c.text) != "" {
			n++
		}
	}
	return n
}
