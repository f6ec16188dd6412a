package messages

import "maps"

// Kinds is the dictionary of words that travel.
func Kinds() map[string]Message { return maps.Clone(kinds) }

// Codes lists every code that the table knows.
func Codes() []Code {
	out := make([]Code, 0, len(codes))
	for code := range codes {
		out = append(out, code)
	}
	return out
}
