package index

import "sync"

// A termID numbers a term in the order of its first appearance.
type termID = uint32

// A lexicon numbers terms. It only grows; looking up takes a lock that nobody
// holds for longer than one word.
type lexicon struct {
	mu  sync.RWMutex
	ids map[string]termID
	all []string
}

func newLexicon(size int) *lexicon {
	return &lexicon{ids: make(map[string]termID, size), all: make([]string, 0, size)}
}

func (l *lexicon) find(word []byte) (termID, bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	id, ok := l.ids[string(word)]
	return id, ok
}

// number finds or adds a term.
func (l *lexicon) number(word []byte) termID {
	if id, ok := l.find(word); ok {
		return id
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	id, ok := l.ids[string(word)]
	if !ok {
		w := string(word)
		id = termID(len(l.all))
		l.ids[w], l.all = id, append(l.all, w)
	}
	return id
}

// since are the terms from a number on.
func (l *lexicon) since(first int) []string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.all[first:len(l.all):len(l.all)]
}

func (l *lexicon) size() int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return len(l.all)
}
