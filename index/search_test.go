package index_test

import (
	"strings"
	"testing"

	"kurogo/messages"
)

// What is asked wrongly is refused with the field's name and a remedy.
func TestSearchRefuses(t *testing.T) {
	s := newDirectory(t)
	_, err := s.x.Search(t.Context(), messages.Search{Query: "x"})
	if !messages.IsCode(err, messages.CodeUnavailable) {
		t.Errorf("an index of nothing answers %v", err)
	}
	s.write("a.go", greeting)
	s.sync()
	for field, q := range map[string]messages.Search{
		"query":       {Query: strings.Repeat("a ", 9000)},
		"top_k":       {Query: "x", TopK: 101},
		"granularity": {Query: "x", Granularity: "word"},
		"intent":      {Query: "x", Intent: "fun"},
	} {
		_, err := s.x.Search(t.Context(), q)
		if e := messages.AsError(err); e == nil || e.Code != messages.CodeInvalid || e.Field != field || e.Remedy == "" {
			t.Errorf("%+v: %v", q, err)
		}
	}
	if _, err := s.x.Search(t.Context(), messages.Search{Query: " \n"}); !messages.IsCode(err, messages.CodeInvalid) {
		t.Errorf("nothing was looked for: %v", err)
	}
	if got := s.search("???"); len(got.Chunks) != 0 {
		t.Errorf("no word at all: %v", got)
	}
}

// Filters, intents and granularities each do what they say.
func TestSearchNarrows(t *testing.T) {
	s := newDirectory(t)
	s.write("door/open.go", "package door\n\nfunc Open() { unlock() }\n\nfunc Again() { unlock(); unlock() }\n")
	s.write("door/open_test.go", "package door\n\nfunc TestOpen() { unlock() }\n")
	s.write("gate/open.go", "package gate\n\nfunc Open() { unlock() } // gate\n")
	s.sync()
	for _, c := range []struct {
		ask  messages.Search
		want string
	}{
		{messages.Search{Query: "unlock", TopK: 1}, "door/open.go"},
		{messages.Search{Query: "unlock", Filters: messages.SearchFilters{PathPrefix: "gate/"}}, "gate/open.go"},
		{messages.Search{Query: "unlock", TopK: 1, Intent: messages.IntentTests}, "door/open_test.go"},
		{messages.Search{Query: "TestOpen", TopK: 1}, "door/open_test.go"},
	} {
		if found := s.ask(c.ask); len(found.Chunks) != 1 || found.Chunks[0].Path != c.want {
			t.Errorf("%+v: %v, want %s", c.ask, found, c.want)
		}
	}
	found := s.ask(messages.Search{Query: "unlock", TopK: 2, Granularity: messages.FileGranularity})
	if len(found.Chunks) != 2 || found.Chunks[0].Path == found.Chunks[1].Path {
		t.Errorf("for files: %v", found)
	}
}
