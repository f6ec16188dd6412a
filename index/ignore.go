package index

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"regexp"
	"strings"
)

// An ignorer knows which paths are not wanted, by files written as .gitignore is.
// The last pattern that fits decides; what is below an ignored directory cannot
// be wanted again.
type ignorer struct {
	rules []rule
	read  []byte
}

type rule struct {
	form *regexp.Regexp
	dirs bool // only directories
	keep bool // begins with "!"
}

// add reads a file that stands in dir, "" being the root.
func (g *ignorer) add(dir string, text []byte) {
	g.read = append(append(g.read, dir+"\n"...), text...)
	for line := range strings.Lines(string(text)) {
		if r, ok := parseRule(dir, strings.TrimRight(line, "\r\n")); ok {
			g.rules = append(g.rules, r)
		}
	}
}

func parseRule(dir, line string) (r rule, ok bool) {
	if !strings.HasSuffix(line, `\ `) {
		line = strings.TrimRight(line, " \t")
	}
	if line == "" || line[0] == '#' {
		return r, false
	}
	if line, r.keep = strings.CutPrefix(line, "!"); line == "" {
		return r, false
	}
	line, r.dirs = strings.CutSuffix(line, "/")
	anchored := strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	var s strings.Builder
	s.WriteString("^")
	if dir != "" {
		s.WriteString(regexp.QuoteMeta(dir + "/"))
	}
	if !anchored {
		s.WriteString("(?:.*/)?")
	}
	wildcards(&s, line)
	s.WriteString("$")
	form, err := regexp.Compile("(?s)" + s.String())
	r.form = form
	return r, err == nil // git, too, passes over what it cannot read
}

// wildcards writes a pattern as a regular expression.
func wildcards(s *strings.Builder, p string) {
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case strings.HasPrefix(p[i:], "**/") && (i == 0 || p[i-1] == '/'):
			s.WriteString("(?:.*/)?")
			i += 2
		case p[i:] == "**" && i > 0 && p[i-1] == '/':
			s.WriteString(".+")
			i++
		case c == '*':
			s.WriteString("[^/]*")
		case c == '?':
			s.WriteString("[^/]")
		case c == '[' && strings.IndexByte(p[i+1:], ']') > 0:
			end := i + 1 + strings.IndexByte(p[i+1:], ']')
			set := p[i+1 : end]
			if rest, not := strings.CutPrefix(set, "!"); not {
				set = "^" + rest
			}
			s.WriteString("[" + strings.ReplaceAll(set, `\`, `\\`) + "]")
			i = end
		case c == '\\' && i+1 < len(p):
			i++
			s.WriteString(regexp.QuoteMeta(p[i : i+1]))
		default:
			s.WriteString(regexp.QuoteMeta(p[i : i+1]))
		}
	}
}

// digest names what was read, and what else decides: what was ignored under
// another may be wanted now.
func (g *ignorer) digest(more string) string {
	sum := sha256.Sum256(append(g.read, more...))
	return hex.EncodeToString(sum[:8])
}

// entry reports whether a path itself is ignored.
func (g *ignorer) entry(name string, dir bool) bool {
	ignored := false
	for _, r := range g.rules {
		if r.keep != ignored || r.dirs && !dir {
			continue // it would change nothing
		}
		if r.form.MatchString(name) {
			ignored = !r.keep
		}
	}
	return ignored
}

// below reports whether a file is ignored, or a directory that it is in.
func (g *ignorer) below(name string) bool {
	if len(g.rules) == 0 {
		return false
	}
	for i, c := range name {
		if c == '/' && g.entry(name[:i], true) {
			return true
		}
	}
	return g.entry(name, false)
}

const ownIgnore = ".kurogoignore"

// noise are directories that nobody wrote.
var noise = map[string]bool{".git": true, ".hg": true, ".svn": true, ".kurogo": true, "node_modules": true, "__pycache__": true, ".venv": true}

// made reports files that programs write for programs.
func made(name string) bool {
	base := strings.ToLower(path.Base(name))
	switch base {
	case "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "go.sum", "go.work.sum", "cargo.lock", "poetry.lock", "uv.lock",
		"gemfile.lock", "composer.lock", "flake.lock", "bun.lock":
		return true
	}
	for _, end := range []string{".min.js", ".min.css", ".map", ".svg", ".snap"} {
		if strings.HasSuffix(base, end) {
			return true
		}
	}
	return false
}
