package evaluate_test

import (
	"cmp"
	"hash/fnv"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// A specimen is a text that people have written and published.
type specimen struct{ name, text string }

// corpus is the prose that every machine with this repository has: Markdown under
// GOROOT and in the module cache. Lists of changes and licences are no prose, and
// what is too short has no structure to spoil. It is the same set, in the same
// order, for the same caches.
func corpus(t *testing.T, most int) []specimen {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT", "GOMODCACHE").Output()
	if err != nil {
		t.Skipf("go env: %v", err)
	}
	var all []specimen
	seen := map[uint64]bool{}
	for _, root := range strings.Fields(string(out)) {
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(strings.ToLower(path), ".md") || !prose(filepath.Base(path)) {
				return nil //nolint:nilerr // what cannot be read is no text
			}
			text, _ := os.ReadFile(path) // likewise
			if !utf8.Valid(text) || len(text) < 2500 || len(text) > 60_000 {
				return nil
			}
			rel, _ := filepath.Rel(root, path)
			s := specimen{filepath.ToSlash(rel), string(text)}
			if key := hashOf(s.text); !seen[key] && structured(s.text) {
				seen[key] = true
				all = append(all, s)
			}
			return nil
		})
	}
	// A stable draw, not the first of the alphabet.
	slices.SortFunc(all, func(a, b specimen) int { return cmp.Compare(hashOf(a.name), hashOf(b.name)) })
	return all[:min(len(all), most)]
}

func prose(base string) bool {
	base = strings.ToUpper(base)
	for _, no := range []string{"CHANGE", "LICEN", "HISTORY", "RELEASE", "CONDUCT", "SECURITY", "PATENTS", "NOTICE", "BENCH", "AUTHORS", "CONTRIBUTORS"} {
		if strings.Contains(base, no) {
			return false
		}
	}
	return true
}

// structured wants headings and sentences.
func structured(text string) bool {
	headings := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			headings++
		}
	}
	stops := strings.Count(text, ". ") + strings.Count(text, ".\n")
	return headings >= 3 && stops >= 15
}

func hashOf(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s))
	return h.Sum64()
}

// dice are the same for the same text and operator.
func dice(text, op string) *rand.Rand { return rand.New(rand.NewPCG(hashOf(text), hashOf(op))) }

// ours are the Japanese texts that were written for this.
func ours(t *testing.T) []specimen {
	t.Helper()
	files, err := filepath.Glob("testdata/ja/*.md")
	if err != nil || len(files) < 12 {
		t.Fatalf("%d Japanese texts, %v", len(files), err)
	}
	var out []specimen
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, specimen{file, string(text)})
	}
	return out
}
