package index_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kurogo/index"
)

// The grammars are opened when a file wants one, and not before; a text that is
// too hard for its grammar is cut as if it had none.
func TestGrammarsWait(t *testing.T) {
	s := newDirectory(t)
	cache := filepath.Join(filepath.Dir(s.db), "grammars")
	s.write("a.go", greeting)
	s.write("a.md", "# Doors\n\nThey open.\n")
	s.sync()
	if _, err := os.Stat(cache); err == nil {
		t.Error("opened for Go and Markdown")
	}
	s.write("a.py", "def swing(): pass\n")
	s.sync()
	if _, err := os.Stat(cache); err != nil {
		t.Error("not opened for Python:", err)
	}
	s.write("a.c", "int open_door(void)\n{\n\treturn 1;\n}\n\n"+strings.Repeat("f(a<b>[\n", 8000))
	s.sync()
	s.wantFirst("open_door", "a.c#L1-L4")
}

// Where there can be no grammars, code is cut without, and somebody is told once.
func TestNoGrammarsToBeHad(t *testing.T) {
	var log bytes.Buffer
	s := newStage(t, index.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err := os.WriteFile(filepath.Join(filepath.Dir(s.db), "grammars"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.write("a.py", "import x\n\ndef swing():\n    pass\n")
	s.write("b.py", "def close():\n    pass\n")
	s.sync()
	s.wantFirst("swing", "a.py#L3-L4")
	if n := strings.Count(log.String(), "without grammars"); n != 1 {
		t.Errorf("said %d times:\n%s", n, log.String())
	}
}
