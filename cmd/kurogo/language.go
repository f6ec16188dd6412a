package main

// phrases are what is said to people, in both languages, by a key that a reader of
// the code understands.
type phrases map[string]struct{ en, ja string }

// pick is a phrase in the language of the configuration; one that is not known is
// said as it is.
func (p *program) pick(from phrases, key string) string {
	w, ok := from[key]
	if !ok {
		return key
	}
	return p.either(w.en, w.ja)
}

// either is a sentence in the language of the configuration.
func (p *program) either(en, ja string) string {
	if p.cfg.Language == "ja" {
		return ja
	}
	return en
}
