package hermes

import (
	"cmp"
	"net/url"
	"os"
	"strings"

	"kurogo/messages"
)

// Options says which model service, and how it is used.
type Options struct {
	Endpoint    string            // its base URL; "" = Ollama on this machine, or OpenAI's own
	API         string            // Ollama, OpenAI, or "" = by the endpoint
	KeyVariable string            // the environment variable that holds the key; "" = none, or OpenAI's at its own endpoint
	Model       string            // of briefs that name none
	Env         map[string]string // where the key is looked for before our own environment; Spec.Env wins over it

	Temperature   *float64 // nil = the model's own
	MaxTokens     int      // of one answer; 0 = the model's own
	ContextTokens int      // that a request may have; 0 = 16,384 for Ollama, 131,072 for OpenAI
	NativeTools   bool     // use the service's tool calls, until it refuses them

	Limits
}

// The ways in which a service is spoken to.
const (
	Ollama = "ollama" // POST /api/chat
	OpenAI = "openai" // POST /v1/chat/completions
)

const (
	ollamaHome = "http://127.0.0.1:11434"
	openAIHome = "https://api.openai.com/v1"
	openAIKey  = "OPENAI_API_KEY"
)

// ends are what people write behind the base of a service.
var ends = map[string][]string{Ollama: {"/chat", "/api", "/v1"}, OpenAI: {"/chat/completions"}}

// place is where a service is, and how it is spoken to there.
type place struct {
	base string
	api  string
}

// place finds out what the options leave out. Errors: invalid, with the field.
func (o Options) place() (place, error) {
	api := o.API
	switch api {
	case "", Ollama, OpenAI:
	default:
		return place{}, messages.Invalid("api", "%q is neither %q nor %q", o.API, Ollama, OpenAI)
	}
	base := strings.TrimRight(o.Endpoint, "/")
	switch {
	case base == "" && api == OpenAI:
		base = openAIHome
	case base == "":
		base, api = ollamaHome, Ollama
	}
	u, err := url.Parse(base)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return place{}, messages.Invalid("endpoint", "this is not the address of a service").Try(`write "http://host:port"`)
	case u.User != nil:
		return place{}, messages.Invalid("endpoint", "an address is no place for a secret").Try("name the variable that holds it in api_key_env")
	case u.RawQuery != "" || u.Fragment != "":
		return place{}, messages.Invalid("endpoint", "%q has more than an address", base)
	}
	if api == "" {
		api = Ollama
		if strings.HasSuffix(u.Path, "/v1") {
			api = OpenAI
		}
	}
	if api == OpenAI && u.Path == "" {
		base += "/v1"
	}
	for _, end := range ends[api] {
		base = strings.TrimSuffix(base, end)
	}
	return place{base, api}, nil
}

// key is the secret that the service knows us by, and the name of its variable:
// where there is none, none is sent. OpenAI's own goes to no Ollama.
func (o Options) key(p place, life map[string]string) (name, value string) {
	if name = o.KeyVariable; name == "" && p.base == openAIHome {
		name = openAIKey
	}
	if name == "" || name == openAIKey && p.api == Ollama {
		return "", ""
	}
	return name, cmp.Or(life[name], o.Env[name], os.Getenv(name))
}

// context is how many tokens a request may have.
func (o Options) context(p place) int {
	if p.api == OpenAI {
		return cmp.Or(max(0, o.ContextTokens), 128<<10)
	}
	return cmp.Or(max(0, o.ContextTokens), 16<<10)
}
