package index_test

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kurogo/index"
	"kurogo/messages"
)

// A made-up code base is about as many matters, and has so many words for each:
// these keep company.
const (
	matters       = 40
	wordsOfMatter = 10
)

func word(matter, i int) string {
	return string([]byte{"bdfgklmnpr"[matter%10], "aiou"[matter/10], "bdfgklmnpr"[i], 'o'}) + "x"
}

// passages are functions about one matter each, as a file.
func passages(random *rand.Rand, n int) string {
	var b strings.Builder
	b.WriteString("package a\n\n")
	for range n {
		matter := random.IntN(matters)
		fmt.Fprintf(&b, "func f%d() {\n", random.Uint32())
		for range 8 {
			fmt.Fprintf(&b, "\t%s()\n", word(matter, random.IntN(wordsOfMatter)))
		}
		if random.IntN(8) == 0 {
			b.WriteString("\tquux()\n") // of every matter
		}
		b.WriteString("}\n\n")
	}
	return b.String()
}

// learner is a stage with enough to learn from, and two passages that a query's
// words do not tell apart: only one is about its matter.
func learner(t *testing.T) *stage {
	t.Helper()
	s := newDirectory(t)
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 12 {
		s.write(fmt.Sprintf("many/a%d.go", i), passages(random, 100))
	}
	for matter, name := range []string{"b", "c"} {
		s.write(name+".go", fmt.Sprintf("package %s\n\nfunc %s() {\n\tquux()\n\t%s()\n\t%s()\n\t%s()\n}\n", name, name, word(matter, 1), word(matter, 2), word(matter, 3)))
	}
	s.sync()
	return s
}

func (s *stage) learn(want bool) {
	s.Helper()
	if learned, err := s.x.Learn(s.Context()); learned != want || err != nil {
		s.Errorf("learned: %v, %v, want %v", learned, err, want)
	}
}

// wantBefore is for two that words alone cannot tell apart.
func (s *stage) wantBefore(query, one, other string) {
	s.Helper()
	var places []string
	for _, c := range s.ask(messages.Search{Query: query, TopK: 100}).Chunks {
		places = append(places, c.Path)
	}
	if first, second := slices.Index(places, one), slices.Index(places, other); first < 0 || second < 0 || first > second {
		s.Errorf("%q is found in %s as %d. and in %s as %d.", query, one, first, other, second)
	}
}

// What words keep company with tells apart what the words of a query do not,
// before the index is closed and after; it is learned again when much is new.
func TestLearn(t *testing.T) {
	s := learner(t)
	ofB, ofC := "quux "+word(0, 9), "quux "+word(1, 9)
	if got := s.search(ofB); got.Dense != "" {
		t.Errorf("%q had a vote before anything was learned", got.Dense)
	}
	s.learn(true)
	s.wantBefore(ofB, "b.go", "c.go")
	s.wantBefore(ofC, "c.go", "b.go")
	before := s.told(ofB, ofC)
	if got := s.search(ofB); got.Dense != "lsa" {
		t.Errorf("the vote was %q's", got.Dense)
	}
	s.reopen()
	if got := s.told(ofB, ofC); got != before {
		t.Errorf("opened again it tells\n%s\nbefore\n%s", got, before)
	}
	s.learn(false)
	random := rand.New(rand.NewPCG(5, 6))
	for i := range 4 {
		s.write(fmt.Sprintf("more/a%d.go", i), passages(random, 100))
	}
	s.sync()
	s.learn(true)
	s.wantBefore(ofC, "c.go", "b.go")
}

// Of little there is nothing to learn, and where an embedder has a vote nobody
// needs it.
func TestLearnsOnlyWhereItHelps(t *testing.T) {
	s := newDirectory(t)
	s.write("a.go", passages(rand.New(rand.NewPCG(1, 1)), 300))
	s.sync()
	s.learn(false)
	s = newStage(t, index.Options{Embedder: index.Ollama{}})
	s.write("a.go", passages(rand.New(rand.NewPCG(1, 1)), 1500))
	s.sync()
	s.learn(false)
}

// Who calls it off gets the index as it was.
func TestLearningIsCalledOff(t *testing.T) {
	s := learner(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if learned, err := s.x.Learn(ctx); learned || err == nil {
		t.Errorf("learned: %v, %v", learned, err)
	}
	if got := s.search("quux"); got.Dense != "" || len(got.Chunks) < 2 {
		t.Errorf("%+v", got)
	}
	s.learn(true)
}

// What was learned and is damaged is learned again.
func TestDamagedLessons(t *testing.T) {
	s := learner(t)
	s.learn(true)
	for _, damage := range []string{
		"UPDATE latent SET rows = substr(rows, 1, 100)",
		"UPDATE latent SET rows = zeroblob(length(rows))",
		"UPDATE latent SET size = -1",
	} {
		if err := s.x.Close(); err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite", "file:"+s.db)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.ExecContext(t.Context(), damage); err != nil {
			t.Fatal(err)
		}
		db.Close()
		s.open()
		if got := s.search("quux"); got.Dense != "" || len(got.Chunks) < 2 {
			t.Errorf("after %s: %q had a vote, %d passages", damage, got.Dense, len(got.Chunks))
		}
		s.learn(true)
	}
}

// The columns are of length 1 and at right angles, also where there are fewer
// directions than columns.
func TestOrthonormal(t *testing.T) {
	const rows, size = 200, 8
	random := rand.New(rand.NewPCG(9, 9))
	for _, rank := range []int{size, 3} {
		m := make([]float32, rows*size)
		for i := range m {
			if i%size < rank {
				m[i] = float32(random.NormFloat64())
			} else {
				m[i] = m[i-i%size+i%rank] // a copy of another column
			}
		}
		index.Orthonormal(m, size)
		for a := range rank {
			for b := range rank {
				sum := 0.0
				for at := 0; at < len(m); at += size {
					sum += float64(m[at+a]) * float64(m[at+b])
				}
				want := 0.0
				if a == b {
					want = 1
				}
				if math.Abs(sum-want) > 1e-4 {
					t.Errorf("rank %d: columns %d and %d: %f", rank, a, b, sum)
				}
			}
		}
		for i, f := range m {
			if f != f || math.IsInf(float64(f), 0) {
				t.Fatalf("rank %d: %f at %d", rank, f, i)
			}
		}
	}
}
