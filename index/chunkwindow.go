package index

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// cutWindows cuts where a line without indentation begins something new. Things
// with a name stand alone, long ones are cut again at their members, and small
// ones without a name are put together.
func cutWindows(l lines, s style) []chunk {
	if s == plain {
		return l.windows(nil, span{to: l.len()}, windowSize)
	}
	return l.chunks(join(l.divide(0, l.len(), "", s, 0)))
}

const deepest = 3 // a class in a class in a module

// divide finds what stands side by side between two lines.
func (l lines) divide(from, to int, within string, s style, depth int) []span {
	least := -1 // the indentation that things have here
	for i := from; i < to; i++ {
		if n, ok := l.indent(i); ok && (least < 0 || n < least) {
			least = n
		}
	}
	var out []span
	open, fresh := 0, true
	for i := from; i < to; i++ {
		n, ok := l.indent(i)
		starts := ok && n == least && open <= 0 && !continues(l.at(i), s)
		if starts && (fresh || !l.leads(i-1, n)) || len(out) == 0 {
			out = append(out, span{from: i, to: to})
			if len(out) > 1 {
				out[len(out)-2].to = i
			}
		}
		if s == braces {
			open = max(open+balance(l.at(i)), 0)
		}
		fresh = !ok
	}
	var all []span
	for _, part := range out {
		part.name(l, within)
		if part.to-part.from <= longChunk || depth == deepest || part.symbol == "" {
			all = append(all, part)
			continue
		}
		inner := l.divide(part.from+1, l.tail(part), part.symbol, s, depth+1)
		if len(inner) < 2 {
			all = append(all, part)
			continue
		}
		head := part
		head.to = inner[0].from
		inner[len(inner)-1].to = part.to
		all = append(append(all, head), join(inner)...)
	}
	return all
}

// tail is where a thing's last line begins, if that only closes it.
func (l lines) tail(s span) int {
	for i := s.to - 1; i > s.from; i-- {
		if t := bytes.TrimSpace(l.at(i)); len(t) > 0 {
			if closing[t[0]] {
				return i
			}
			break
		}
	}
	return s.to
}

// leads reports whether a line is a comment or a decorator of what follows it.
func (l lines) leads(i, indent int) bool {
	t := bytes.TrimSpace(l.at(i))
	n, ok := l.indent(i)
	return ok && n >= indent && len(t) > 0 && (isComment(t) || t[0] == '@' || bytes.HasPrefix(t, []byte("template")))
}

func isComment(t []byte) bool {
	for _, mark := range []string{"//", "/*", "*", "#", "--", ";"} {
		if bytes.HasPrefix(t, []byte(mark)) {
			return true
		}
	}
	return false
}

func (l lines) indent(i int) (n int, ok bool) {
	for _, c := range l.at(i) {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 4
		default: // other blanks than these indent nothing
			return n, len(bytes.TrimSpace(l.at(i))) > 0
		}
	}
	return 0, false
}

var closing = [256]bool{'}': true, ')': true, ']': true, '>': true}

// continues reports a line that belongs to what stands before it.
func continues(line []byte, s style) bool {
	t := bytes.TrimSpace(line)
	if closing[t[0]] || t[0] == '{' {
		return true
	}
	for _, word := range []string{"else", "elif", "except", "finally", "catch", "rescue", "ensure", "end", "done", "fi", "then"} {
		if rest, ok := bytes.CutPrefix(t, []byte(word)); ok && s == indents && (len(rest) == 0 || !wordByte[rest[0]]) {
			return true
		}
	}
	return false
}

// balance counts the braces of a line that are not in a string or behind a
// comment's mark: near enough, and cheap.
func balance(line []byte) (n int) {
	var quote byte
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote != 0:
			switch c {
			case '\\':
				i++
			case quote:
				quote = 0
			}
		case c == '"' || c == '`' || c == '\'' && i+2 < len(line) && (line[i+2] == '\'' || line[i+1] == '\\'):
			quote = c
		case c == '/' && i+1 < len(line) && line[i+1] == '/':
			return n
		case c == '{':
			n++
		case c == '}':
			n--
		}
	}
	return n
}

// Definitions as most languages write them. The first group that matches is the
// name.
var (
	keyworded = regexp.MustCompile(`^\s*(?:(?:export|default|public|private|protected|internal|static|abstract|final|sealed|async|unsafe|extern|inline|const|virtual|override|open|data|pub(?:\([^)]*\))?|local|declare|partial|readonly)\s+)*` +
		`(?:def|class|function\*?|func|fn|interface|struct|enum|trait|impl(?:<[^>]*>)?|type|module|namespace|record|object|protocol|macro_rules!|message|service|resource|data|variable)\s+(?:self\.)?["']?([A-Za-z_$][\w$.:]*)`)
	assigned = regexp.MustCompile(`^\s*(?:export\s+)?(?:default\s+)?(?:const|let|var|val|static)\s+([A-Za-z_$][\w$]*)\s*(?::[^=]+)?=`)
	called   = regexp.MustCompile(`^\s*(?:[\w:<>,*&\[\]~\s]*?[\s*&])?~?([A-Za-z_$][\w$]*(?:::~?[A-Za-z_]\w*)*)\s*\([^;]*$`)
	implFor  = regexp.MustCompile(`^\s*(?:unsafe\s+)?impl(?:<[^>]*>)?\s+.*\bfor\s+([A-Za-z_]\w*)`)
	routed   = regexp.MustCompile(`^\s*(?:@?\w+\.(?:get|post|put|patch|delete|route|head|options|websocket)\(|@(?:Get|Post|Put|Patch|Delete|Request)Mapping\((?:(?:value|path)\s*=)?|#\[(?:get|post|put|patch|delete|head|options)\(|(?:get|post|put|patch|delete)\s)` +
		`\s*["'` + "`" + `](/[^"'` + "`" + `]*)`)
	keywords = map[string]bool{"if": true, "for": true, "while": true, "switch": true, "return": true, "catch": true, "else": true, "do": true, "sizeof": true, "with": true, "elif": true, "new": true, "throw": true, "await": true, "match": true}
)

// name finds what a span defines.
func (s *span) name(l lines, within string) {
	line, route := l.opening(*s)
	s.call(within, nameIn(line), route)
}

// opening is the line of a span that is no comment or decorator, and the path of
// HTTP that is said until there.
func (l lines) opening(s span) (line []byte, route string) {
	for i := s.from; i < s.to; i++ {
		line := l.at(i)
		if m := routed.FindSubmatch(line); m != nil {
			route = string(m[1])
		}
		if t := bytes.TrimSpace(line); len(t) > 0 && !isComment(t) && t[0] != '@' && t[0] != '[' {
			return line, route
		}
	}
	return nil, route
}

// call gives a span its symbol and its name, and returns what stands before the
// symbols inside it.
func (s *span) call(within, name, route string) (inside string) {
	s.names = lastName(name)
	inside = joined(".", within, strings.ReplaceAll(name, "::", "."))
	s.symbol = joined(" ", inside, route)
	return inside
}

// lastName is what of a qualified name is defined.
func lastName(name string) []string {
	if name = name[strings.LastIndexAny(name, ".:")+1:]; name == "" {
		return nil
	}
	return []string{name}
}

func joined(by string, words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), by)
}

func nameIn(line []byte) string {
	for _, pattern := range []*regexp.Regexp{implFor, keyworded, assigned, called} {
		if m := pattern.FindSubmatch(line); m != nil && !keywords[string(m[1])] {
			return strings.TrimRight(string(m[1]), ".:")
		}
	}
	return ""
}

// join puts neighbours without a name of their own together, up to a window.
func join(spans []span) []span {
	var out []span
	for _, s := range spans {
		if n := len(out); n > 0 && len(s.names) == 0 && len(out[n-1].names) == 0 && s.symbol == out[n-1].symbol &&
			out[n-1].to == s.from && s.to-out[n-1].from <= windowSize {
			out[n-1].to = s.to
			continue
		}
		out = append(out, s)
	}
	return out
}
