package config

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// tomlEntry is the entry as Codex writes it.
type tomlEntry struct {
	Command     string   `toml:"command,omitempty"`
	Args        []string `toml:"args,omitempty"`
	Variables   []string `toml:"env_vars,omitempty"`
	URL         string   `toml:"url,omitempty"`
	TokenEnvVar string   `toml:"bearer_token_env_var,omitempty"`
}

// oursTOML are the keys of it, old and new.
var oursTOML = []string{"command", "args", variablesTOML, "url", "bearer_token_env_var"}

// variablesTOML is the key of the variables to pass: those that others named stay.
const variablesTOML = "env_vars"

// tomlSection is the table of servers.
const tomlSection = "mcp_servers"

// editTOML puts the entry's keys at the top of its table, or a table at the end
// of the file. All other lines stay.
func editTOML(_ Client, text string, e ServerEntry) (string, error) {
	tree := map[string]any{}
	if err := toml.Unmarshal([]byte(text), &tree); err != nil {
		return "", tomlProblem(err)
	}
	servers, _ := tree[tomlSection].(map[string]any)
	have, exists := servers[serverName].(map[string]any)
	entry := tomlEntry{Command: e.Command, Args: e.Args, Variables: passedTOML(have, e.Variables)}
	if e.URL != "" {
		entry = tomlEntry{URL: e.URL}
	}
	if e.Token {
		entry.TokenEnvVar = "KUROGO_TOKEN"
	}
	lines, want, err := encodeTOML(entry)
	if err != nil {
		return "", err
	}
	if exists && equal(only(have, oursTOML), want) {
		return text, nil
	}
	if strings.Contains(text, "\r\n") {
		lines = strings.ReplaceAll(lines, "\n", "\r\n")
	}
	out := withoutOurs(text, lines)
	if out == "" {
		out = text
		if out != "" && !strings.HasSuffix(out, "\n") {
			out += "\n"
		}
		if out != "" {
			out += "\n"
		}
		out += "[" + tomlSection + "." + serverName + "]\n" + lines
	}
	if !changedOnly(tree, out, want) {
		return "", fmt.Errorf("%s.%s is written in a form that cannot be changed in place: remove it, and try again", tomlSection, serverName)
	}
	return out, nil
}

// passedTOML are the variables that an entry passes on already, then ours.
func passedTOML(have map[string]any, ours []string) (names []string) {
	list, _ := have[variablesTOML].([]any)
	for _, v := range list {
		if name, ok := v.(string); ok {
			names = append(names, name)
		}
	}
	for _, name := range ours {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// withoutOurs is the text with lines in the place of our keys, "" where it has no
// table of ours.
func withoutOurs(text, lines string) string {
	s := &lineScanner{text: text, line: 1, found: map[string]int{}, tables: map[string]int{}}
	var out strings.Builder
	var table path
	copied, there := 0, false
	for s.space(); s.more(); s.space() {
		start := s.pos
		if s.peek() == '[' {
			table = s.header()
			s.restOfLine()
			if slices.Equal(table, path{tomlSection, serverName}) {
				out.WriteString(endLine(text[copied:s.pos]) + lines)
				copied, there = s.pos, true
			}
			continue
		}
		names := s.key()
		s.blanks()
		if s.peek() == '=' {
			s.pos++
			s.value(names, 0)
		}
		s.restOfLine()
		if slices.Equal(table, path{tomlSection, serverName}) && len(names) == 1 && slices.Contains(oursTOML, names[0]) {
			start = strings.LastIndexByte(text[:start], '\n') + 1
			out.WriteString(text[copied:max(start, copied)])
			copied = s.pos
		}
	}
	if !there {
		return ""
	}
	return out.String() + text[copied:]
}

// restOfLine goes to the beginning of the next line.
func (s *lineScanner) restOfLine() {
	for s.more() && s.peek() != '\n' {
		s.next()
	}
	if s.more() {
		s.next()
	}
}

func endLine(s string) string {
	if strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// encodeTOML is the entry as lines, and as what they mean.
func encodeTOML(entry tomlEntry) (lines string, tree map[string]any, err error) {
	var b bytes.Buffer
	if err := toml.NewEncoder(&b).Encode(entry); err != nil {
		return "", nil, fmt.Errorf("encode entry: %w", err)
	}
	err = toml.Unmarshal(b.Bytes(), &tree)
	return b.String(), tree, err
}

// changedOnly reports whether after differs from before in our own keys only,
// and has them.
func changedOnly(before map[string]any, after string, want map[string]any) bool {
	now := map[string]any{}
	if err := toml.Unmarshal([]byte(after), &now); err != nil {
		return false
	}
	servers, _ := now[tomlSection].(map[string]any)
	entry, _ := servers[serverName].(map[string]any)
	return equal(only(entry, oursTOML), want) && sameBut(before, now, tomlSection, oursTOML)
}

func tomlProblem(err error) error {
	var parse toml.ParseError
	if errors.As(err, &parse) {
		return fmt.Errorf("line %d is no TOML: %s", parse.Position.Line, strings.TrimSuffix(parse.Message, "."))
	}
	return fmt.Errorf("it is no TOML: %w", err)
}
