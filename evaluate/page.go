package evaluate

import (
	"slices"
	"sort"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// A page is a document as the measures see it: read once, in order, with the
// line of everything.
type page struct {
	source   []byte
	text     string
	starts   []int // of lines
	japanese bool

	headings []heading
	blocks   []block
	codes    []code
	links    []link
	lists    []list
	tables   []table
	prose    []bool // by line: neither code nor HTML

	sentences []sentence
	words     int     // of prose, each sentence counted once
	size      float64 // 1 for a short text, growing with the root of its length
}

type heading struct {
	level, line int
	text        string
	blocks      int // how many stood before it
	filled      bool
}

// A block is prose that belongs together: a paragraph, an item, a cell.
type block struct {
	inline
	kind    blockKind
	section int // index of its heading, −1 before the first
	leads   bool
	next    ast.NodeKind // what follows beside it
}

type blockKind int

const (
	paragraph blockKind = iota
	item
	cell
)

type list struct {
	line    int
	numbers []int // as they are written
	lines   []int
}

type table struct{ line, columns int }

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table)).Parser()

func readPage(doc string) *page {
	doc = strings.TrimPrefix(strings.ReplaceAll(doc, "\r\n", "\n"), "\ufeff")
	body := shallow(matter(doc))
	p := &page{source: []byte(body), text: body, japanese: japanese(body)}
	for at := 0; at <= len(body); {
		p.starts = append(p.starts, at)
		next := strings.IndexByte(body[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	p.prose = make([]bool, len(p.starts)+2)
	for i := range p.prose {
		p.prose[i] = true
	}
	root := markdown.Parse(text.NewReader(p.source))
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		p.top(n)
	}
	p.split()
	return p
}

// matter blanks what some tools read before the text, keeping its lines.
func matter(doc string) string {
	if !strings.HasPrefix(doc, "---\n") {
		return doc
	}
	end := strings.Index(doc[4:], "\n---\n")
	if end < 0 {
		return doc
	}
	head := doc[:4+end+5]
	return strings.Repeat("\n", strings.Count(head, "\n")) + doc[len(head):]
}

// deepest is how much of a line may open quotes and lists. Nobody nests so deep, and
// the parser's time grows with the square of it.
const deepest = 200

// shallow shortens lines that open more.
func shallow(doc string) string {
	if !strings.ContainsAny(doc, ">-+*0123456789") || !slices.ContainsFunc(strings.Split(doc, "\n"), deep) {
		return doc
	}
	lines := strings.Split(doc, "\n")
	for i, line := range lines {
		if deep(line) {
			lines[i] = line[:deepest] + strings.TrimLeft(line, markers)
		}
	}
	return strings.Join(lines, "\n")
}

const markers = " \t>-+*0123456789.)"

func deep(line string) bool {
	return len(line) > deepest && len(line)-len(strings.TrimLeft(line, markers)) > deepest
}

// lineAt is the line of a byte, counted from 1.
func (p *page) lineAt(offset int) int {
	return sort.SearchInts(p.starts, offset+1)
}

// line is the text of a line, counted from 1.
func (p *page) line(n int) string {
	if n < 1 || n > len(p.starts) {
		return ""
	}
	from, to := p.starts[n-1], len(p.text)
	if n < len(p.starts) {
		to = p.starts[n] - 1
	}
	return p.text[from:to]
}

func (p *page) top(n ast.Node) {
	if h, ok := n.(*ast.Heading); ok {
		in := p.inline(h)
		p.headings = append(p.headings, heading{level: h.Level, line: max(in.line(0), 1), text: in.text, blocks: len(p.blocks)})
		return
	}
	if len(p.headings) > 0 && n.Kind() != ast.KindThematicBreak {
		p.headings[len(p.headings)-1].filled = true
	}
	p.visit(n, paragraph)
}

func (p *page) visit(n ast.Node, kind blockKind) {
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock, *tables.TableCell:
		p.addBlock(n, kind)
		return
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		p.addCode(n)
		return
	case *ast.HTMLBlock:
		p.mask(n)
		return
	case *ast.List:
		p.addList(n)
		kind = item
	case *tables.Table:
		p.tables = append(p.tables, table{line: p.first(n), columns: len(n.Alignments)})
		kind = cell
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		p.visit(c, kind)
	}
}

func (p *page) addBlock(n ast.Node, kind blockKind) {
	in := p.inline(n)
	if strings.TrimSpace(in.text) == "" {
		return
	}
	b := block{inline: in, kind: kind, section: len(p.headings) - 1}
	if next := n.NextSibling(); next != nil {
		b.next = next.Kind()
		switch next.(type) {
		case *ast.List, *ast.FencedCodeBlock, *ast.CodeBlock, *tables.Table, *ast.Blockquote, *ast.HTMLBlock:
			b.leads = true
		}
	}
	p.blocks = append(p.blocks, b)
}

func (p *page) raw(n ast.Node) string {
	var out strings.Builder
	for i := range n.Lines().Len() {
		at := n.Lines().At(i)
		out.Write(at.Value(p.source))
	}
	return out.String()
}

func (p *page) mask(n ast.Node) {
	for i := range n.Lines().Len() {
		p.prose[p.lineAt(n.Lines().At(i).Start)] = false
	}
}

func (p *page) addList(n *ast.List) {
	l := list{line: p.first(n)}
	for c := n.FirstChild(); c != nil && n.IsOrdered(); c = c.NextSibling() {
		line := p.first(c)
		if number, ok := leadingNumber(p.line(line)); ok {
			l.numbers, l.lines = append(l.numbers, number), append(l.lines, line)
		}
	}
	p.lists = append(p.lists, l)
}

// first is the line where a block begins: that of the first text below it.
func (p *page) first(n ast.Node) int {
	for ; n != nil; n = n.FirstChild() {
		if n.Type() != ast.TypeInline && n.Lines().Len() > 0 {
			return p.lineAt(n.Lines().At(0).Start)
		}
	}
	return 1
}
