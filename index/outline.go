package index

import (
	"log/slog"
	"sync"

	"kurogo/index/grammars"
)

// An outliner has the grammars, from the first file on that wants one: a code
// base of Go alone never does.
type outliner struct {
	cache string // directory
	log   *slog.Logger

	once    sync.Once
	parsers parsers // nil: not wanted yet, or not to be had
}

// parsers are what Grammars are.
type parsers interface {
	Outline(l grammars.Language, text []byte, whole int) ([]grammars.Node, error)
	Rest() error
	Close() error
}

// outline lists what the grammar of a language finds in a text. It reports false
// if that is nothing to go by: the text is then cut as one without a grammar.
func (o *outliner) outline(l grammars.Language, text []byte) ([]grammars.Node, bool) {
	o.once.Do(func() {
		g, err := grammars.Open(o.cache)
		if err != nil {
			o.log.Warn("cut code without grammars", "err", err)
			return
		}
		o.parsers = g
	})
	if o.parsers == nil {
		return nil, false
	}
	nodes, err := o.parsers.Outline(l, text, longChunk)
	if err != nil {
		o.log.Debug("cut a file without its grammar", "err", err)
	}
	return nodes, err == nil
}

// rest gives memory back when no file is being cut.
func (o *outliner) rest() error {
	if o.parsers == nil {
		return nil
	}
	return o.parsers.Rest()
}

func (o *outliner) close() error {
	if o.parsers == nil {
		return nil
	}
	return o.parsers.Close()
}
