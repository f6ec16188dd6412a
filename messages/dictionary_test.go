package messages_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kurogo/messages"
)

// silent lists the words that never travel, and why. Today every word does.
var silent = map[string]string{}

// Every word must be in the dictionary: a word that is declared and cannot be
// sent is one that somebody forgot.
func TestDictionaryIsComplete(t *testing.T) {
	declared := receivers(t, "word")
	var known []string
	for _, zero := range messages.Kinds() {
		known = append(known, reflect.TypeOf(zero).Name())
	}
	for _, name := range declared {
		why, quiet := silent[name]
		switch {
		case quiet && why == "":
			t.Errorf("%s does not travel, and nobody says why", name)
		case quiet == slices.Contains(known, name):
			t.Errorf("%s: in the dictionary %v, said to be silent %v", name, !quiet, quiet)
		}
	}
	for _, name := range slices.Concat(known, slices.Collect(maps.Keys(silent))) {
		if !slices.Contains(declared, name) {
			t.Errorf("%s is listed, but is no word", name)
		}
	}
}

// Changes stay inside: none of them is a word.
func TestChangesDoNotTravel(t *testing.T) {
	words := receivers(t, "word")
	changes := receivers(t, "change")
	if len(changes) == 0 {
		t.Fatal("there are no changes")
	}
	for _, name := range changes {
		if slices.Contains(words, name) {
			t.Errorf("%s is a change and a word", name)
		}
	}
}

// receivers lists the types of this package that declare the sealing method.
func receivers(t *testing.T, method string) []string {
	t.Helper()
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil && fn.Name.Name == method {
				out = append(out, fn.Recv.List[0].Type.(*ast.Ident).Name)
			}
		}
	}
	return out
}
