package codex

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"

	"kurogo/messages"
)

// longestPrompt is what fits into one argument of a process.
const longestPrompt = 100 << 10

// unfit are features of the CLI that have no place in a life of ours: goals begin
// turns that nobody gave, agents of its own spend what nobody counts, and who
// waits for a network waits for ever.
var unfit = []string{"goals", "multi_agent", "unbounded_connection_retries"}

// exec is what a life of one turn is started with; the turn adds the rest.
// Nothing secret is in it: everybody can read it.
func (o Options) exec(spec messages.Spec) ([]string, error) {
	argv := slices.Concat(o.Args, []string{
		"exec", "--json", "--skip-git-repo-check", "--color", "never", "--sandbox", o.sandbox(),
	}, o.settings(spec))
	if spec.Dir != "" {
		argv = append(argv, "--cd", spec.Dir)
	}
	if spec.Model != "" {
		argv = append(argv, "--model", spec.Model)
	}
	shape, err := form(spec)
	if err != nil {
		return nil, err
	}
	argv = append(argv, shape...)
	if o.shared() && spec.SystemPrompt != "" {
		if len(spec.SystemPrompt) > longestPrompt {
			return nil, messages.Invalid("system_prompt", "%d bytes are more than the shared configuration takes", len(spec.SystemPrompt)).
				Try("configure a key and config = \"isolated\"")
		}
		argv = append(argv, "-c", "developer_instructions="+quote(spec.SystemPrompt))
	}
	return argv, nil
}

// server is what a life of many turns is started with.
func (o Options) server(spec messages.Spec) []string {
	return slices.Concat(o.Args, []string{"app-server"}, o.settings(spec))
}

// settings make of a program for people one for us: it changes nothing behind our
// back, asks nobody, tells its shells no key, and leaves patience to us.
func (o Options) settings(spec messages.Spec) []string {
	pairs := []string{
		"check_for_update_on_startup=false",
		"analytics.enabled=false",
		`approval_policy="never"`,
		"agents.enabled=false",
		"shell_environment_policy.exclude=" + list(append([]string{tokenVariable}, keys...)),
	}
	for _, name := range unfit {
		pairs = append(pairs, "features."+name+"=false")
	}
	if !o.shared() && o.key() != "" {
		pairs = append(pairs, "model_provider="+quote(provider), "model_providers."+provider+"="+o.provider())
	}
	if spec.MCP.URL != "" {
		pairs = append(pairs, o.tools(spec.MCP)...)
	}
	var argv []string
	for _, pair := range pairs {
		argv = append(argv, "-c", pair)
	}
	return argv
}

// provider is our name for the model's service. The CLI's own one takes no key
// without a login, and no word about retries.
const provider = "kurogo"

func (o Options) provider() string {
	// Under its own name the service is asked for what only it can do.
	name, base := "OpenAI", "https://api.openai.com/v1"
	if other := cmp.Or(o.Env[baseVariable], os.Getenv(baseVariable)); other != "" {
		name, base = provider, other
	}
	retries := strconv.Itoa(o.retries())
	return "{name=" + quote(name) + ",base_url=" + quote(base) + ",env_key=" + quote(o.key()) +
		`,wire_api="responses",supports_websockets=false` +
		`,env_http_headers={"OpenAI-Organization"="OPENAI_ORGANIZATION","OpenAI-Project"="OPENAI_PROJECT"}` +
		",request_max_retries=" + retries + ",stream_max_retries=" + retries + "}"
}

// quote writes a text for TOML, which is JSON but for one character.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a text
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\x7f", `\u007f`)
}

func list(texts []string) string {
	quoted := make([]string, len(texts))
	for i, s := range texts {
		quoted[i] = quote(s)
	}
	return "[" + strings.Join(quoted, ",") + "]"
}
