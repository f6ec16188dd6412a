package index

import (
	"path"
	"regexp"
	"strings"

	"kurogo/messages"
)

// A sort is what kind of file a path is, which decides how far it stands back.
type sort uint8

const (
	isTest sort = 1 << iota
	isExample
	isFacade // re-exports what is elsewhere
	isTyping
	isProse
)

var (
	testPath    = regexp.MustCompile(`(?i)(^|/)(tests?|__tests__|specs?|testing|testdata|fixtures)/|_test\.\w+$|(^|/)test_[^/]*$|\.(test|spec)\.\w+$|_spec\.\w+$`)
	testName    = regexp.MustCompile(`Tests?\.(java|kt|cs|php|swift)$`)
	examplePath = regexp.MustCompile(`(^|/)(_?examples?|docs?_src|compat|_compat|legacy|single_include|vendor|third_party|playground)/`)
)

func sortOf(name string) (s sort) {
	if testPath.MatchString(name) || testName.MatchString(name) {
		s |= isTest
	}
	if examplePath.MatchString(name) {
		s |= isExample
	}
	if base := path.Base(name); base == "__init__.py" || base == "package-info.java" {
		s |= isFacade
	}
	if strings.HasSuffix(name, ".d.ts") {
		s |= isTyping
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".rst", ".txt", ".json", ".html", ".yml", ".yaml", ".toml", ".css", ".xml", ".csv":
		s |= isProse
	}
	return s
}

// prior is what a score is multiplied with. The factors are those that did best
// on public benchmarks.
func (s sort) prior(intent messages.Intent) float64 {
	f := 1.0
	switch test := s&isTest != 0; {
	case test && intent == messages.IntentImplementation:
		f *= 0.3
	case !test && intent == messages.IntentTests:
		f *= 0.3
	}
	if s&isExample != 0 {
		f *= 0.3
	}
	if s&isFacade != 0 {
		f *= 0.5
	}
	if s&isTyping != 0 {
		f *= 0.7
	}
	if s&isProse != 0 {
		f *= 0.5
	}
	return f
}
