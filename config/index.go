package config

import "time"

// Index says what retrieval reads, and whom it asks for vectors.
type Index struct {
	Enabled       bool          `toml:"enabled"`
	Extensions    []string      `toml:"extensions"` // empty = everything that is text
	MaxFileBytes  int           `toml:"max_file_bytes"`
	ContextTokens int           `toml:"context_tokens"` // of the project that each turn is given unasked; 0 = none
	Watch         time.Duration `toml:"watch"`          // how often it is seen whether a hook has told of a change; 0 = never
	Embedder      Embedder      `toml:"embedder"`
}

// An Embedder turns text into vectors.
type Embedder struct {
	Kind      string `toml:"kind"`        // "ollama", "openai"; "" = none: words alone are searched
	Endpoint  string `toml:"endpoint"`    // "" = the kind's own, once loaded
	Model     string `toml:"model"`       // of vectors, not of texts
	APIKeyEnv string `toml:"api_key_env"` // variable that has the key
}

// leastWatch is how often a project may be looked through without being in the
// way of those who work there.
const leastWatch = 100 * time.Millisecond

func defaultIndex() Index {
	return Index{
		Enabled:      true,
		Extensions:   []string{},
		MaxFileBytes: 1 << 20,
		Watch:        2 * time.Second,
		Embedder:     Embedder{APIKeyEnv: openAIKey},
	}
}

func (l *loading) checkIndex(x *Index) {
	l.checkExtensions("index.extensions", x.Extensions)
	l.atLeastOne("index.max_file_bytes", x.MaxFileBytes)
	bound(l, "index.context_tokens", x.ContextTokens, 0, "write 0 for none, or more")
	if x.Watch != 0 {
		bound(l, "index.watch", x.Watch, leastWatch, `write at least "100ms", or "0s" for never`)
	}
	e := &x.Embedder
	if e.Kind == "" {
		return
	}
	word(l, "index.embedder.kind", e.Kind, apiOllama, apiOpenAI)
	if e.Model == "" {
		l.report(keyPath("index.embedder.model"), `write the model, such as "nomic-embed-text"`, "an embedder of kind %q has no model", e.Kind)
	}
	if e.Endpoint == "" {
		e.Endpoint = endpoints[e.Kind]
	}
	l.checkURL(keyPath("index.embedder.endpoint"), e.Endpoint)
	l.checkVariable(keyPath("index.embedder.api_key_env"), e.APIKeyEnv)
}
