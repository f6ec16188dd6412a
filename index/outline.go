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

	once     sync.Once
	grammars *grammars.Grammars // nil: not wanted yet, or not to be had
}

// outline lists what the grammar of a language finds in a text. It reports false
// if that is nothing to go by: the text is then cut as one without a grammar.
func (o *outliner) outline(l grammars.Language, text []byte) ([]grammars.Node, bool) {
	o.once.Do(func() {
		var err error
		if o.grammars, err = grammars.Open(o.cache); err != nil {
			o.log.Warn("cut code without grammars", "err", err)
		}
	})
	if o.grammars == nil {
		return nil, false
	}
	nodes, err := o.grammars.Outline(l, text, longChunk)
	if err != nil {
		o.log.Debug("cut a file without its grammar", "err", err)
	}
	return nodes, err == nil
}

// rest gives memory back when no file is being cut.
func (o *outliner) rest() error {
	if o.grammars == nil {
		return nil
	}
	return o.grammars.Rest()
}

func (o *outliner) close() error {
	if o.grammars == nil {
		return nil
	}
	return o.grammars.Close()
}
