package index

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// cutGo cuts Go at its declarations, each with its comment. It reports false for
// what does not parse.
func cutGo(l lines) ([]chunk, bool) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "", l.text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, false
	}
	file := set.File(f.Pos())
	line := func(p token.Pos) int { return file.PositionFor(p, false).Line - 1 } // not as //line says
	spans := make([]span, 0, len(f.Decls))
	at := 0
	for _, d := range f.Decls {
		s := span{from: line(d.Pos()), to: line(d.End()) + 1}
		var doc *ast.CommentGroup
		switch d := d.(type) {
		case *ast.FuncDecl:
			doc, s.symbol, s.names = d.Doc, d.Name.Name, []string{d.Name.Name}
			if d.Recv != nil && len(d.Recv.List) > 0 {
				s.symbol = typeName(d.Recv.List[0].Type) + "." + s.symbol
			}
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				continue // stays with the package clause
			}
			doc, s.names = d.Doc, namesOf(d)
			s.symbol = strings.Join(s.names[:min(len(s.names), mostSymbols)], " ")
		default:
			continue
		}
		if doc != nil {
			s.from = line(doc.Pos())
		}
		if s.from = max(s.from, at); s.from >= s.to || s.to > l.len() {
			continue // several on one line: the first has it
		}
		at = s.to
		spans = append(spans, s)
	}
	return l.chunks(spans), true
}

// mostSymbols are the names of one group that stand in its symbol; all of them
// can be found.
const mostSymbols = 8

func namesOf(d *ast.GenDecl) (out []string) {
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			out = append(out, s.Name.Name)
		case *ast.ValueSpec:
			for _, name := range s.Names {
				if name.Name != "_" {
					out = append(out, name.Name)
				}
			}
		}
	}
	return out
}

func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.ParenExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	}
	return ""
}
