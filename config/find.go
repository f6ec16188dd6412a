package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

const fileName = "kurogo.toml"

// largest bounds what is read as configuration, in bytes.
const largest = 4 << 20

// find is the absolute path of the file to read, "" if there is none. Only a
// file that was named has to exist.
func (l *loading) find() string {
	for _, named := range []struct{ file, key, path string }{
		{"flag", "--config", l.src.Path},
		{"environment", "KUROGO_CONFIG", l.env["KUROGO_CONFIG"]},
		{"environment", "KUROMAJUTSU_CONFIG", l.env["KUROMAJUTSU_CONFIG"]},
	} {
		if named.path == "" {
			continue
		}
		p := named.path
		if !filepath.IsAbs(p) {
			p = filepath.Join(l.src.Dir, p)
		}
		if !isFile(p) {
			l.problems = append(l.problems, Problem{
				File: named.file, Key: named.key,
				Message: "there is no file " + named.path,
				Remedy:  "name an existing kurogo.toml, or leave it out; \"kurogo init\" writes one",
			})
			return ""
		}
		return p
	}
	if p := l.upwards(); p != "" {
		return p
	}
	base := l.env["XDG_CONFIG_HOME"]
	if !filepath.IsAbs(base) { // the XDG rules say that a relative one counts for nothing
		if l.env["HOME"] == "" {
			return ""
		}
		base = filepath.Join(l.env["HOME"], ".config")
	}
	if p := filepath.Join(base, "kurogo", fileName); isFile(p) {
		return p
	}
	return ""
}

// upwards looks from the working directory to the top of its repository, never
// above the user's home.
func (l *loading) upwards() string {
	dir := filepath.Clean(l.src.Dir)
	for filepath.IsAbs(dir) {
		if p := filepath.Join(dir, fileName); isFile(p) {
			return p
		}
		_, err := os.Lstat(filepath.Join(dir, ".git"))
		up := filepath.Dir(dir)
		if err == nil || up == dir || dir == filepath.Clean(l.env["HOME"]) {
			break
		}
		dir = up
	}
	return ""
}

func isFile(p string) bool {
	info, err := os.Stat(p)
	return err == nil && !info.IsDir()
}

// read is the text of a file that a person wrote; the error is one sentence.
func read(p string) (string, error) {
	info, err := os.Stat(p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", errors.New("there is no file " + p)
	case err != nil:
		return "", err
	case info.IsDir():
		return "", errors.New(p + " is a directory")
	case info.Size() > largest:
		return "", errors.New(p + " is over 4 MiB")
	}
	text, err := os.ReadFile(p)
	return string(text), err
}

var yamlStart = regexp.MustCompile(`\A(?:\s*(?:#[^\n]*)?\n)*(?:---\s*\n|[A-Za-z_][\w-]*:(?:\s|\z))`)

// isYAML reports whether a file is YAML by its name, or by how its text begins.
func isYAML(p, text string) bool {
	return slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(p)) || yamlStart.MatchString(text)
}
