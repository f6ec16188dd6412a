package index_test

import (
	"fmt"
	"strings"
	"testing"

	"kurogo/index"
)

func outline(name, text string) string {
	var out []string
	for _, c := range index.Cut(name, text) {
		out = append(out, fmt.Sprintf("%d-%d %s", c.First, c.Last, c.Symbol))
	}
	return strings.Join(out, "\n")
}

// A cutting is a file and the outline of its chunks.
type cutting struct{ name, text, want string }

func wantCuttings(t *testing.T, cuttings ...cutting) {
	t.Helper()
	for _, c := range cuttings {
		if got := outline(c.name, c.text); got != c.want {
			t.Errorf("%s is cut into\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestCut(t *testing.T) {
	wantCuttings(t, []cutting{
		{"a.go", `// Package a is.
package a

import "fmt"

// A Door opens.
type Door struct{}

const (
	one = 1
	two = 2
)

//line elsewhere.go:900
// Open opens.
func (d *Door) Open() {
	fmt.Println()
}

func Map[K any](k K) {}
func (p Pair[K, V]) Key() {}
`, "1-4 \n6-7 Door\n9-12 one two\n14-18 Door.Open\n20-20 Map\n21-21 Pair.Key"},
		{"broken.go", "package a\n\nfunc Open( {\n\tx()\n}\n\nfunc Close() {\n\ty()\n}\n", "1-1 \n3-5 Open\n7-9 Close"},
		{"a.md", "intro\n\n# One\ntext\n```\n# no heading\n```\n## Two #\n\nmore\n# Three\n", "1-1 \n3-7 One\n8-10 One > Two\n11-11 Three"},
		{"a.py", `import os
import sys

# Says hello.
@app.get("/hello")
async def hello(name):
    if name:
        return 1
    else:
        return 2

class Door:
    """A door."""

    def open(self):
        pass

x = 1
`, "1-2 \n4-10 hello /hello\n12-18 Door"},
		{"a.ts", `import x from "y";

export default class Door extends Thing {
  open() { return "}"; }
}

export const close = async (d: Door) => {
  await d;
};

function swing<T>(d: T)
{
  return d;
}
`, "1-1 \n3-5 Door\n7-9 close\n11-14 swing"},
		{"a.rs", "use a::b;\n\n#[derive(Debug)]\npub struct Door {\n    open: bool,\n}\n\nimpl Thing for Door {\n    fn open(&self) {}\n}\n", "1-1 \n3-6 Door\n8-10 Door"},
		{"a.c", "#include <a.h>\n\nstatic int door_open(struct door *d)\n{\n\treturn 1;\n}\n", "1-1 \n3-6 door_open"},
		{"a.txt", strings.Repeat("line\n", 130), "1-60 \n61-130 "},
		{"empty.go", "", ""},
		{"blank.txt", "\n \n\t\n", ""},
	}...)
}

// A long class is cut at its members, a long function in windows; both keep the
// name.
func TestCutLong(t *testing.T) {
	var b strings.Builder
	b.WriteString("class Door:\n")
	for i := range 40 {
		fmt.Fprintf(&b, "    def open%d(self):\n        a = 1\n        b = 2\n        return a + b\n\n", i)
	}
	pieces := index.Cut("door.py", b.String())
	if len(pieces) != 41 || pieces[7].Symbol != "Door.open6" || pieces[7].First != 32 || pieces[7].Last != 35 {
		t.Errorf("%d pieces, the eighth %+v", len(pieces), pieces[min(7, len(pieces)-1)])
	}
	long := "package a\n\nfunc Long() {\n" + strings.Repeat("\tx()\n", 400) + "}\n"
	pieces = index.Cut("long.go", long)
	if len(pieces) < 6 || pieces[3].Symbol != "Long" {
		t.Errorf("%d pieces: %+v", len(pieces), pieces)
	}
}

// Whatever a file holds, its chunks stand where they say, in order and apart, and
// no line that is not blank is lost.
func FuzzCut(f *testing.F) {
	for _, name := range []string{"a.go", "a.md", "a.py", "a.ts", "a.txt", "a.rb"} {
		f.Add(name, "package a\n\nfunc f() {\n}\n# x\n```\nclass A {\n  b() {}\n}\n")
		f.Add(name, "\r\n\r\n}{\n\n  x\n")
		f.Add(name, "\v\n \f\nx\n")
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		lines := strings.Split(text, "\n")
		covered := make([]bool, len(lines))
		before := 0
		for _, c := range index.Cut(name, text) {
			if c.First <= before || c.Last < c.First || c.Last > len(lines) {
				t.Fatalf("%s: lines %d-%d after %d of %d", name, c.First, c.Last, before, len(lines))
			}
			if want := strings.TrimRight(strings.Join(lines[c.First-1:c.Last], "\n"), "\r\n"); c.Text != want {
				t.Fatalf("%s: L%d-L%d is %q, want %q", name, c.First, c.Last, c.Text, want)
			}
			before = c.Last
			for i := c.First; i <= c.Last; i++ {
				covered[i-1] = true
			}
		}
		for i, line := range lines {
			if strings.TrimSpace(line) != "" && !covered[i] {
				t.Fatalf("%s: line %d, %q, is in no chunk", name, i+1, line)
			}
		}
	})
}
