package cursor

import (
	"slices"
	"strings"

	"kurogo/messages"
)

// longestPrompt is what Linux takes as one argument, less the byte that ends it.
const longestPrompt = 128<<10 - 1

// argv is what a life is started with; the prompt comes after it. The secrets
// are in the environment: everybody can read the arguments.
func (o Options) argv(spec messages.Spec) []string {
	argv := append(slices.Clone(o.Args), "-p")
	if o.Permission == "" || o.Permission == Allow {
		argv = append(argv, "--force")
	}
	argv = append(argv, "--trust") // without it nothing begins where nobody can be asked
	if o.Permission == Deny {
		argv = append(argv, "--mode", "ask")
	}
	if spec.Model != "" {
		argv = append(argv, "--model", spec.Model)
	}
	argv = append(argv, "--output-format", "stream-json", "--stream-partial-output")
	if o.serves(spec) {
		argv = append(argv, "--approve-mcps")
	}
	return argv
}

// serves reports whether the agent finds our MCP server.
func (o Options) serves(spec messages.Spec) bool { return spec.MCP.URL != "" && !o.shared() }

// prompt is all that the agent is told. One that looks like an option or a
// command of the CLI gets a first line before it.
func prompt(system string, t messages.Turn) (string, error) {
	text := t.Text
	if system = strings.TrimSpace(system); system != "" {
		text = system + "\n\n" + text
	}
	if s := strings.TrimSpace(text); strings.HasPrefix(s, "/") || strings.HasPrefix(s, "-") {
		text = "[turn " + t.ID + "]\n" + text
	}
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", "\uFFFD"), "\uFFFD")
	if len(text) > longestPrompt {
		return "", messages.Invalid("prompt", "%d bytes, with the system prompt, are over the %d that the Cursor CLI can be given", len(text), longestPrompt).
			Try("put what is long into a file and name the file")
	}
	return text, nil
}
