package main

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A tongue is what bench knows of a language: where its comments stand and what
// the first line of a function looks like. It knows it by itself, so that no
// chunker is judged by its own sight.
type tongue struct {
	name     string
	line     string // begins a comment that ends with the line
	docs     bool   // """ of Python
	slashes  bool   // /* */ and //
	function *regexp.Regexp
}

var (
	jsFunction = regexp.MustCompile(`^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\*?\s+([\w$]+)|^\s*(?:export\s+)?const\s+([\w$]+)\s*(?::.*|=.*(?:=>|function|\($).*)$|^\s*(?:(?:public|private|protected|static|async|get|set|override)\s+)*([\w$]+)\s*(?:<[^>]*>)?\([^;]*\{\s*$`)
	tongues    = map[string]*tongue{
		".py":   {name: "python", line: "#", docs: true, function: regexp.MustCompile(`^\s*(?:async\s+)?def\s+(\w+)`)},
		".rb":   {name: "ruby", line: "#", function: regexp.MustCompile(`^\s*def\s+(?:self\.)?(\w+)`)},
		".js":   {name: "javascript", slashes: true, function: jsFunction},
		".ts":   {name: "typescript", slashes: true, function: jsFunction},
		".tsx":  {name: "tsx", slashes: true, function: jsFunction},
		".rs":   {name: "rust", slashes: true, function: regexp.MustCompile(`^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:const|async|unsafe|default|extern\s+"C")\s+)*fn\s+(\w+)`)},
		".java": {name: "java", slashes: true, function: regexp.MustCompile(`^\s*(?:(?:public|protected|private|static|final|abstract|synchronized|native|default)\s+)+(?:<[^>]+>\s*)?(?:[\w<>\[\],.?]+\s+)+(\w+)\s*\(`)},
		".c":    {name: "c", slashes: true, function: regexp.MustCompile(`^[A-Za-z_](?:[\w\s*]*?[\s*])?(\w+)\s*\([^;]*$`)},
		".cpp":  {name: "cpp", slashes: true, function: regexp.MustCompile(`^\s*(?:[\w:<>,*&~\s]+?[\s*&])(~?\w+)\s*\([^;]*$`)},
	}
	reserved = regexp.MustCompile(`^(?:if|for|while|switch|return|catch|else|do|sizeof|function|constructor|define|defined)$`)
	leading  = regexp.MustCompile(`^\s*(?:@|#\[|template\b|\[\[)`)
	markup   = regexp.MustCompile(`\{@\w+\s+([^}]*)\}|</?\w+[^>]*>|[\x60*]`)
)

// tongueOf is nil for a file that bench asks nothing about.
func tongueOf(file string) *tongue {
	switch ext := path.Ext(file); ext {
	case ".h", ".hpp", ".cc", ".cxx":
		return tongues[".cpp"]
	case ".mjs", ".cjs":
		return tongues[".js"]
	default:
		return tongues[ext]
	}
}

// strike blanks the comments of a file, without moving a line, and asks for each
// function that has one by its first sentence, without its name.
func (t *tongue) strike(file string, text []byte) ([]byte, []question) {
	comment := t.comments(text)
	bare := slices.Clone(text)
	for i, is := range comment {
		if is && bare[i] != '\n' {
			bare[i] = ' '
		}
	}
	was, is := bytes.Split(text, []byte{'\n'}), bytes.Split(bare, []byte{'\n'})
	var out []question
	for i, line := range is {
		m := t.function.FindSubmatch(line)
		if m == nil {
			continue
		}
		name := string(bytes.Join(m[1:], nil))
		said := t.above(was, is, i)
		if t.docs {
			said = below(was, is, i)
		}
		if text := sentence(said, name); text != "" && !reserved.MatchString(name) && !strings.Contains(file, "test") {
			out = append(out, question{text, file, i + 1, i + 1})
		}
	}
	return bare, out
}

// comments says of every byte whether it is of a comment.
func (t *tongue) comments(text []byte) []bool {
	is := make([]bool, len(text))
	mark := func(from, to int) int {
		for i := from; i < min(to, len(text)); i++ {
			is[i] = true
		}
		return to
	}
	end := func(from int, by string) int {
		if n := bytes.Index(text[from:], []byte(by)); n >= 0 {
			return from + n + len(by)
		}
		return len(text)
	}
	for i := 0; i < len(text); {
		rest := text[i:]
		switch c := text[i]; {
		case t.slashes && bytes.HasPrefix(rest, []byte("//")), t.line != "" && c == t.line[0] && (i == 0 || text[i-1] == '\n' || text[i-1] == ' ' || text[i-1] == '\t'):
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			i = mark(i, i+n)
		case t.slashes && bytes.HasPrefix(rest, []byte("/*")):
			i = mark(i, end(i+2, "*/"))
		case t.docs && (bytes.HasPrefix(rest, []byte(`"""`)) || bytes.HasPrefix(rest, []byte(`'''`))):
			to := end(i+3, string(rest[:3]))
			if begins := bytes.TrimLeft(text[bytes.LastIndexByte(text[:i], '\n')+1:i], " \trRuU"); len(begins) == 0 {
				mark(i, to)
			}
			i = to
		case c == '"', c == '\'' && (!t.slashes || quotes(rest)), c == '`' && t.slashes:
			for i++; i < len(text) && text[i] != c && (text[i] != '\n' || c == '`'); i++ {
				if text[i] == '\\' {
					i++
				}
			}
			i++
		default:
			i++
		}
	}
	return is
}

// quotes reports a ' that does not begin a lifetime of Rust or stand in a word.
func quotes(rest []byte) bool {
	n := bytes.IndexByte(rest[1:], '\'')
	return n == 1 || n > 1 && (rest[1] == '\\' || !bytes.ContainsAny(rest[1:n], "\n,<>&"))
}

// above are the lines of comment directly over a function and what decorates it.
func (t *tongue) above(was, is [][]byte, at int) (out []string) {
	i := at - 1
	for i >= 0 && leading.Match(is[i]) {
		i--
	}
	for ; i >= 0 && len(bytes.TrimSpace(is[i])) == 0 && len(bytes.TrimSpace(was[i])) > 0; i-- {
		out = append(out, string(was[i]))
	}
	slices.Reverse(out)
	return out
}

// below are the lines of a docstring.
func below(was, is [][]byte, at int) (out []string) {
	i := at
	for ; i < min(at+12, len(is)) && !bytes.HasSuffix(bytes.TrimSpace(is[i]), []byte{':'}); i++ {
	}
	for i++; i < len(is) && len(bytes.TrimLeft(bytes.TrimSpace(is[i]), "rRuU")) == 0 && len(bytes.TrimSpace(was[i])) > 0; i++ {
		out = append(out, string(was[i]))
	}
	return out
}

// sentence is the first of a comment, without marks and without a name, or ""
// if it says too little.
func sentence(lines []string, name string) string {
	var words []string
	for _, line := range lines {
		line = strings.Trim(line, " \t\r")
		line = strings.TrimLeft(strings.TrimRight(line, "*/\"'"), "/*!#\"'rR")
		line = markup.ReplaceAllString(line, " $1 ")
		fields := strings.Fields(line)
		if len(fields) == 0 && len(words) > 0 || len(fields) > 0 && (fields[0][0] == '@' || fields[0][0] == '\\' || fields[0][0] == ':') {
			break
		}
		words = append(words, fields...)
		if len(fields) > 0 && strings.HasSuffix(line, ".") {
			break
		}
	}
	said, _, _ := strings.Cut(strings.Join(words, " ")+" ", ". ")
	words = slices.DeleteFunc(strings.Fields(said), func(w string) bool { return strings.Trim(w, ".,:;()[]`\"'-") == name })
	if len(words) < docWords || len(words) > 60 {
		return ""
	}
	return strings.Join(words, " ")
}
