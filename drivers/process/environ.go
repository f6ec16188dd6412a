package process

import (
	"maps"
	"slices"
	"strings"
)

// inherited is what a life may know of our own environment. Everything else,
// above all keys that are not its own, stays with us. A star stands for any end.
var inherited = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_*", "TMPDIR", "XDG_*",
	"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
	"http_proxy", "https_proxy", "all_proxy", "no_proxy",
	"SSL_CERT_FILE", "SSL_CERT_DIR",
}

// Environ is the environment of a life: what the list and allow let through of
// from, TERM=dumb, and add, which wins. It is sorted.
func Environ(from []string, add map[string]string, allow ...string) []string {
	out := map[string]string{"TERM": "dumb"}
	for _, pair := range from {
		name, value, ok := strings.Cut(pair, "=")
		if ok && (allowed(name, inherited) || allowed(name, allow)) {
			out[name] = value
		}
	}
	maps.Copy(out, add)
	env := make([]string, 0, len(out))
	for _, name := range slices.Sorted(maps.Keys(out)) {
		env = append(env, name+"="+out[name])
	}
	return env
}

func allowed(name string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		if head, star := strings.CutSuffix(pattern, "*"); star {
			return strings.HasPrefix(name, head)
		}
		return name == pattern
	})
}
