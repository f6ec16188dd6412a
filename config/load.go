package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/BurntSushi/toml"
)

// A Source is everything that comes from outside, as plain values.
type Source struct {
	Path      string            // of --config; "" = search
	Overrides map[string]string // of flags, by dotted key: "server.listen"
	Environ   []string          // as os.Environ gives it
	Dir       string            // absolute: where the search begins
}

// Load finds the file, lays environment and flags over it and checks the whole.
// Its error is Problems. Search order: Source.Path, $KUROGO_CONFIG,
// kurogo.toml from Dir up to the top of the repository,
// $XDG_CONFIG_HOME/kurogo/kurogo.toml, the built-in defaults.
func Load(src Source) (Config, error) {
	l := &loading{src: src, env: environ(src.Environ), given: map[string]origin{}}
	return l.load(l.find())
}

// load reads the file that was found; "" is none.
func (l *loading) load(file string) (Config, error) {
	c := defaults()
	c.Path = file
	tree, ok := l.parse(c.Path)
	if !ok {
		return Config{}, l.problems.sorted()
	}
	c.entries(tree)
	l.override(tree)
	c.models(tree)
	decoder{l.report}.decode(tree, reflect.ValueOf(&c).Elem(), nil)
	_, listed := tree["personas"].(map[string]any)
	l.check(&c, listed)
	if err := l.problems.sorted(); err != nil {
		return Config{}, err
	}
	return c, nil
}

// loading is the state of one Load.
type loading struct {
	src      Source
	env      map[string]string
	name     string // of the file, as problems show it
	dir      string // that relative paths start from
	lines    lines
	given    map[string]origin // keys that came from environment or flags
	problems Problems
	texts    map[string]string // that files would have, by absolute path; nil in real life
}

// An origin is where a value came from, if not from the file.
type origin struct{ file, key string }

func (l *loading) report(at path, remedy, format string, args ...any) {
	p := Problem{File: l.name, Line: l.lines.of(at), Key: at.String(), Message: fmt.Sprintf(format, args...), Remedy: remedy}
	for len(at) > 0 && strings.HasPrefix(at[len(at)-1], element) {
		at = at[:len(at)-1] // a list from outside has one origin
	}
	if o, ok := l.given[at.id()]; ok {
		p.File, p.Line, p.Key = o.file, 0, o.key
	}
	l.problems = append(l.problems, p)
}

// parse reads the file into a tree; no file is an empty tree. It is not ok when
// there is nothing to go on with.
func (l *loading) parse(file string) (map[string]any, bool) {
	tree := map[string]any{}
	l.name, l.dir = "built-in", l.src.Dir
	if file == "" {
		return tree, len(l.problems) == 0
	}
	l.name, l.dir = l.shown(file), filepath.Dir(file)
	text, err := l.read(file)
	if err != nil {
		l.problems = append(l.problems, Problem{File: l.name, Message: err.Error(), Remedy: "make it readable, or name another file"})
		return nil, false
	}
	if err := toml.Unmarshal([]byte(text), &tree); err != nil || isYAML(file, "") {
		l.problems = append(l.problems, syntax(l.name, file, text, err))
		return nil, false
	}
	l.lines = indexLines(text)
	return tree, true
}

// shown is a file's path as the user would write it.
func (l *loading) shown(file string) string {
	if rel, err := filepath.Rel(l.src.Dir, file); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return file
}

// syntax says why a text is no TOML.
func syntax(name, file, text string, err error) Problem {
	if isYAML(file, text) {
		return Problem{
			File: name, Message: "this is YAML, but Kurogo reads TOML",
			Remedy: "run \"kurogo init\" for a commented kurogo.toml and carry the settings over, such as [server] listen = \"127.0.0.1:9696\"",
		}
	}
	p := Problem{File: name, Message: err.Error(), Remedy: "correct the TOML on this line"}
	var parse toml.ParseError
	if errors.As(err, &parse) {
		p.Line = parse.Position.Line
		if parse.LastKey != "" {
			p.Key = parse.LastKey
		}
		if parse.Message != "" {
			p.Message = strings.TrimSuffix(parse.Message, ".")
		}
	}
	return p
}
