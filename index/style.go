package index

import (
	"path"
	"strings"

	"kurogo/index/grammars"
)

// A style is how files of a name are cut.
type style byte

const (
	plain    style = iota // windows of lines
	braces                // by { and }
	indents               // by indentation
	golang                // Go has a parser
	markdown              // by headings
	grammar               // and from here on: by the grammar of a language
)

func styleOf(name string) style {
	ext := strings.ToLower(path.Ext(name))
	if l, ok := languages[ext]; ok {
		return grammar + style(l)
	}
	switch ext {
	case ".go":
		return golang
	case ".md", ".mdx", ".markdown":
		return markdown
	case ".yaml", ".yml", ".toml", ".nim", ".ex", ".exs", ".lua", ".jl", ".hs", ".ml", ".sql", ".sh", ".bash", ".ini", ".cfg", ".conf", ".tcl":
		return indents
	case ".txt", ".rst", ".adoc", ".csv", ".tsv", ".log", ".html", ".htm", ".xml", ".svg", ".tex", "":
		return plain
	}
	return braces
}

var languages = map[string]grammars.Language{
	".py": grammars.Python, ".pyi": grammars.Python,
	".js": grammars.JavaScript, ".mjs": grammars.JavaScript, ".cjs": grammars.JavaScript, ".jsx": grammars.JavaScript,
	".ts": grammars.TypeScript, ".mts": grammars.TypeScript, ".cts": grammars.TypeScript, ".tsx": grammars.TSX,
	".rs": grammars.Rust, ".java": grammars.Java, ".rb": grammars.Ruby, ".c": grammars.C,
	".h": grammars.CPP, ".hh": grammars.CPP, ".hpp": grammars.CPP, ".cc": grammars.CPP, ".cpp": grammars.CPP, ".cxx": grammars.CPP,
}

func (s style) language() grammars.Language { return grammars.Language(s - grammar) }

// shape is how a language shows, to those who cannot read it, where things begin
// and end.
func (s style) shape() style {
	switch {
	case s == grammar+style(grammars.Python) || s == grammar+style(grammars.Ruby):
		return indents
	case s >= golang:
		return braces
	}
	return s
}
