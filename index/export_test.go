package index

import "log/slog"

// What a test reaches past the doors for.

// Words are what text is indexed as.
func Words(text string) (out []string) {
	words([]byte(text), func(w []byte) { out = append(out, string(w)) })
	return out
}

// Asked are what a query is looked for as.
func Asked(query string) (out []string) {
	asked(query, func(w []byte) { out = append(out, string(w)) })
	return out
}

// Stem stems a copy.
func Stem(word string) string { return string(stem([]byte(word))) }

// A Piece is a chunk of a file.
type Piece struct {
	Symbol      string
	First, Last int
	Text        string
}

var shared = &outliner{log: slog.New(slog.DiscardHandler)}

// Cut cuts a file.
func Cut(name, text string) []Piece { return cutBy(cutter{shared.outline}, name, text) }

// CutWithout cuts a file as where there are no grammars.
func CutWithout(name, text string) []Piece { return cutBy(cutter{}, name, text) }

func cutBy(c cutter, name, text string) (out []Piece) {
	for _, p := range c.cut(name, []byte(text)) {
		out = append(out, Piece{p.symbol, p.first, p.last, string(p.text)})
	}
	return out
}

// Orthonormal makes columns so.
var Orthonormal = orthonormal

// Veil strikes secrets out.
func Veil(text string) (string, int) {
	veiled, n := veil([]byte(text))
	return string(veiled), n
}

// SecretName reports names of secrets.
var SecretName = secretName

// Ignores reports whether rules ignore a file.
func Ignores(rules, name string) bool {
	g := &ignorer{}
	g.add("", []byte(rules))
	return g.below(name)
}

// OnOpened is told of every file that is being read.
func (o Options) OnOpened(f func(path string)) Options {
	o.opened = f
	return o
}

// Segments counts the pieces of the inverted index.
func (x *Index) Segments() int { return len(x.seen.Load().segments) }

// Contents counts the blobs that are kept.
func (x *Index) Contents() int { return len(x.w.blobs) }
