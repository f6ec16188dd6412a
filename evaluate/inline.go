package evaluate

import (
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// inline is the text of a block as it is read aloud, and where it stands: code in
// it is one word, a link is what is shown of it, HTML and pictures are silent.
type inline struct {
	text string
	runs []run
}

// A run begins at a byte of the text, on a line of the page.
type run struct{ at, line int }

// line is where a byte of the text stands on the page.
func (in inline) line(at int) int {
	next := sort.Search(len(in.runs), func(i int) bool { return in.runs[i].at > at })
	if next == 0 {
		return 0
	}
	return in.runs[next-1].line
}

type link struct {
	line       int
	text, dest string
	image      bool
}

func (p *page) inline(n ast.Node) inline {
	var in inline
	var out strings.Builder
	start := 1
	if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
		start = p.lineAt(n.Lines().At(0).Start)
	}
	in.runs = append(in.runs, run{0, start})
	line := start
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) { // the visitor has no errors
		if !entering || c == n {
			return ast.WalkContinue, nil
		}
		switch c := c.(type) {
		case *ast.Text:
			if now := p.lineAt(c.Segment.Start); now != line {
				line = now
				in.runs = append(in.runs, run{out.Len(), line})
			}
			out.Write(c.Segment.Value(p.source))
			if c.SoftLineBreak() || c.HardLineBreak() {
				p.brk(&out)
			}
		case *ast.String:
			out.Write(c.Value)
		case *ast.CodeSpan:
			out.WriteString(p.codeWord(c))
			return ast.WalkSkipChildren, nil
		case *ast.AutoLink:
			out.WriteString("URL")
		case *ast.Link:
			p.links = append(p.links, link{line: line, text: p.shown(c), dest: string(c.Destination)})
		case *ast.Image:
			p.links = append(p.links, link{line: line, text: p.shown(c), dest: string(c.Destination), image: true})
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	in.text = strings.TrimRight(out.String(), " \n")
	return in
}

// brk joins two lines: with a space, but not within Japanese.
func (p *page) brk(out *strings.Builder) {
	if s := out.String(); s != "" && wide(lastRune(s)) {
		return
	}
	out.WriteByte(' ')
}

// codeWord is code within a sentence, as one word without full stops.
func (p *page) codeWord(c *ast.CodeSpan) string {
	return "`" + strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\n', '.', '!', '?', ':', '。', '[', ']', '(', ')':
			return '_'
		}
		return r
	}, p.shown(c)) + "`"
}

func (p *page) shown(n ast.Node) string {
	var out strings.Builder
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) { // likewise
		if t, ok := c.(*ast.Text); ok && entering {
			out.Write(t.Segment.Value(p.source))
		}
		return ast.WalkContinue, nil
	})
	return out.String()
}
