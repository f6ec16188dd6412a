package config

import (
	"maps"
	"slices"
)

// The APIs that a model is called by, with where each is by default, and the
// variable that has the key.
const (
	apiOllama = "ollama"
	apiOpenAI = "openai"
	openAIKey = "OPENAI_API_KEY"
)

var endpoints = map[string]string{
	apiOllama: "http://127.0.0.1:11434",
	apiOpenAI: "https://api.openai.com/v1",
}

const hermes = "hermes"

// defaultHermes is what a driver of that kind is laid over.
func defaultHermes() Driver {
	return Driver{
		Kind: hermes, API: apiOllama, APIKeyEnv: openAIKey,
		MaxTokens: 4096, ContextTokens: 16384, MaxAnswerBytes: 8 << 20, NativeTools: true,
	}
}

// models gives its defaults to every driver that the tree says is of kind hermes,
// whatever its name.
func (c *Config) models(tree map[string]any) {
	for name, table := range tables(tree["drivers"]) {
		kind := name
		if keys, ok := table.(map[string]any); ok {
			if said, ok := keys["kind"].(string); ok {
				kind = said
			}
		}
		if kind == hermes {
			c.Drivers[name] = defaultHermes()
		}
	}
}

// checkModel checks the keys of a model where one is called, and refuses them
// elsewhere.
func (l *loading) checkModel(at path, d *Driver) {
	if d.Kind != hermes {
		given := map[string]bool{
			"api": d.API != "", "endpoint": d.Endpoint != "", "api_key_env": d.APIKeyEnv != "", "model": d.Model != "", "native_tools": d.NativeTools,
			"max_tokens": d.MaxTokens != 0, "context_tokens": d.ContextTokens != 0, "max_answer_bytes": d.MaxAnswerBytes != 0, "temperature": d.Temperature != 0,
		}
		for _, key := range slices.Sorted(maps.Keys(given)) {
			if given[key] {
				l.report(at.key(key), `remove it, or write kind = "hermes"`, "a driver of kind %q calls no model itself", d.Kind)
			}
		}
		return
	}
	known(l.report, at.key("api"), d.API, []string{apiOllama, apiOpenAI})
	if d.Endpoint == "" {
		d.Endpoint = endpoints[d.API]
	}
	l.checkURL(at.key("endpoint"), d.Endpoint)
	l.checkVariable(at.key("api_key_env"), d.APIKeyEnv)
	for key, n := range map[string]int{"max_tokens": d.MaxTokens, "context_tokens": d.ContextTokens, "max_answer_bytes": d.MaxAnswerBytes} {
		if n < 1 {
			l.report(at.key(key), "write 1 or more", "%d is too little", n)
		}
	}
	if d.MaxTokens >= d.ContextTokens && d.ContextTokens > 0 {
		l.report(at.key("max_tokens"), "write less than context_tokens", "an answer of %d tokens leaves no room for a question in %d", d.MaxTokens, d.ContextTokens)
	}
	if d.Temperature < 0 || d.Temperature > 2 {
		l.report(at.key("temperature"), "write 0 to 2", "%v is no temperature", d.Temperature)
	}
}
