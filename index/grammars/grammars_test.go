package grammars_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"kurogo/index/grammars"
)

const whole = 150

var shared *grammars.Grammars

func TestMain(m *testing.M) {
	var err error
	if shared, err = grammars.Open(""); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// samples have, in every language, what is listed after them: the mark and the
// name of each.
var samples = []struct {
	language   grammars.Language
	text, want string
}{
	{grammars.Python, "@a\ndef f(): pass\nclass C(B):\n  async def m(self): pass\n", "4 f 1 f 2 C 1 m"},
	{grammars.JavaScript, "export function f() {}\nfunction* g() {}\nclass C { m() {} static #p() {} }\nconst a = 1;\n", "4 f 1 f 1 g 2 C 1 m 1 #p 5 a"},
	{grammars.TypeScript, "interface I {}\ntype T = 1;\nenum E {}\nabstract class A { abstract m(): void; n() {} }\nfunction f(): void;\ndeclare const x: 1;\n", "1 I 1 T 1 E 2 A 7 m 1 n 7 f 4  5 x"},
	{grammars.TSX, "const P = () => <a b={1}>{c}</a>;\nfunction Q() { return <P />; }\n", "5 P 1 Q"},
	{grammars.Rust, "struct S;\nenum E {}\ntrait T { fn m(&self); }\nimpl<A> T for S<A> { fn m(&self) {} }\nmod x { fn f() {} }\nmacro_rules! r { () => {} }\nconst C: u8 = 1;\n", "1 S 1 E 2 T 7 m 2 S 1 m 1 f 1 r 3 C"},
	{grammars.Java, "class C<T> { C() {} <A> void m(A a) {} enum E { X } }\ninterface I { void n(); }\nrecord R(int a) { R {} }\n", "2 C 1 C 1 m 2 E 2 I 1 n 2 R 1 R"},
	{grammars.C, "#define F(x) x\nstruct s { int a; };\ntypedef int t;\nint *const *f(int a[], int (*g)(void)) { struct s b; }\nstatic int v = 1;\n", "3 F 3 s 3 t 1 f 3 v"},
	{grammars.CPP, "namespace n { class C final : B { void m() {} ~C() {} }; }\ntemplate <class T> struct S {};\nvoid n::C::q() const {}\nint &r() {}\n", "2 C 1 m 1 ~C 4  2 S 1 n::C::q 1 r"},
	{grammars.Ruby, "module M\n  class A::B < C\n    def m?; end\n    def self.s = 1\n    class << self\n      def t; end\n    end\n  end\nend\n", "2 M 2 A::B 1 m? 1 s 2  1 t"},
}

func told(nodes []grammars.Node) string {
	var out []string
	for _, n := range nodes {
		out = append(out, fmt.Sprintf("%d %s", n.Mark, n.Name))
	}
	return strings.Join(out, " ")
}

func TestOutline(t *testing.T) {
	for _, c := range samples {
		nodes, err := shared.Outline(c.language, []byte(c.text), whole)
		if got := told(nodes); err != nil || got != c.want {
			t.Errorf("language %d: %q, %v, want %q", c.language, got, err, c.want)
		}
	}
}

// What is a definition is not looked into, unless it is long.
func TestOnlyLongDefinitionsAreLookedInto(t *testing.T) {
	text := "function f() {\n  function g() {}\n" + strings.Repeat("  if (a) {}\n", 10) + "}\n"
	for most, want := range map[int]string{whole: "1 f", 5: "1 f 1 g"} {
		if nodes, err := shared.Outline(grammars.JavaScript, []byte(text), most); err != nil || told(nodes) != want {
			t.Errorf("up to %d lines whole: %q, %v, want %q", most, told(nodes), err, want)
		}
	}
}

// Many texts at once are each told of as alone, and after a rest again.
func TestManyAtOnce(t *testing.T) {
	g, err := grammars.Open(filepath.Join(t.TempDir(), "cache"))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var all sync.WaitGroup
		for i := range 4 {
			all.Go(func() {
				for j := range 40 {
					c := samples[(i+j)%len(samples)]
					if nodes, err := g.Outline(c.language, []byte(c.text), whole); err != nil || told(nodes) != c.want {
						t.Errorf("language %d: %q, %v, want %q", c.language, told(nodes), err, c.want)
					}
				}
			})
		}
		all.Wait()
		if err := g.Rest(); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
}

// A text that cannot be parsed with patience is given up, one that is too large
// for a parser's memory too, and both harm nobody who comes after.
func TestTooMuch(t *testing.T) {
	deep := []byte(strings.Repeat("f(a<b>[", 60_000))
	for _, text := range [][]byte{deep, make([]byte, 300<<20)} {
		if _, err := shared.Outline(grammars.C, text, whole); !errors.Is(err, grammars.ErrTooHard) {
			t.Errorf("a text of %d bytes: %v", len(text), err)
		}
	}
	if nodes, err := shared.Outline(samples[0].language, []byte(samples[0].text), whole); err != nil || told(nodes) != samples[0].want {
		t.Errorf("%q, %v afterwards", told(nodes), err)
	}
}

// A cache that cannot be is an error, and leaves nothing running.
func TestCacheThatCannotBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if g, err := grammars.Open(filepath.Join(file, "cache")); err == nil {
		t.Error("opened", g.Close())
	}
}

// Whatever a text holds, its nodes lie within it, in order, and each inside of
// those it begins in.
func FuzzOutline(f *testing.F) {
	for _, c := range samples {
		f.Add(int(c.language), c.text)
	}
	f.Add(int(grammars.Ruby), "def \xff; <<~A\n#{def b; end}\n")
	f.Fuzz(func(t *testing.T, language int, text string) {
		l := grammars.Language(uint(language) % uint(len(samples)))
		nodes, err := shared.Outline(l, []byte(text), whole)
		if err != nil && !errors.Is(err, grammars.ErrTooHard) {
			t.Fatal(err)
		}
		var around []int
		before := 0
		for _, n := range nodes {
			if n.Start < before || n.End < n.Start || n.End > len(text) || !strings.Contains(text, n.Name) {
				t.Fatalf("%+v after one at %d, in %d bytes", n, before, len(text))
			}
			before = n.Start
			for len(around) > 0 && around[len(around)-1] <= n.Start {
				around = around[:len(around)-1]
			}
			if len(around) > 0 && n.End > around[len(around)-1] {
				t.Fatalf("%+v goes on after what it is in, at %d", n, around[len(around)-1])
			}
			around = append(around, n.End)
		}
	})
}
