package index_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"kurogo/messages"
)

// After any number of changes, while others search, the index is what a fresh
// one would be, in few pieces, and does not keep every content there ever was.
func TestChurn(t *testing.T) {
	s := newDirectory(t)
	name := func(i int) string { return fmt.Sprintf("d%d/f%d.go", i%5, i) }
	for i := range 40 {
		s.write(name(i), goFile(i))
	}
	s.sync()
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for range 200 {
				select {
				case <-stop:
					return
				default:
				}
				found, err := s.x.Search(t.Context(), messages.Search{Query: "counted number", Granularity: messages.FileGranularity})
				if err != nil {
					t.Error(err)
					return
				}
				for _, c := range found.Chunks {
					if !strings.Contains(c.Text, "counted") && !strings.Contains(c.Text, "package") {
						t.Errorf("%s#%s holds %q", c.Path, c.Span, c.Text)
					}
				}
			}
		})
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 1500 {
		file := name(random.IntN(60))
		if random.IntN(8) == 0 {
			s.remove(file)
		} else {
			s.write(file, goFile(random.IntN(10_000)))
		}
		if _, err := s.x.Ingest(t.Context(), messages.Ingest{Paths: []string{file}}); err != nil {
			t.Fatal(err)
		}
		if i == 700 {
			s.sync()
		}
	}
	close(stop)
	readers.Wait()
	if n := s.x.Segments(); n > 12 {
		t.Errorf("%d segments", n)
	}
	if n := s.x.Contents(); n > 1300 {
		t.Errorf("%d contents of %d files are kept", n, s.x.Status().Files)
	}
	s.wantFresh("counted number", "Number77")
	s.reopen()
	s.wantFresh("counted number", "Number77")
}
