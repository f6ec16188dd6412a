package config

import (
	"path/filepath"
	"strings"
)

// An inheritance is a key that a variable of one of the documents gives.
type inheritance struct {
	key  string
	text func(l *loading, value string) string // as a variable of ours would say it
}

// inherited are the variables that the five documents name. Ours beat them.
var inherited = map[string]inheritance{
	"KUROMAJUTSU_PORT":       {"server.listen", func(_ *loading, port string) string { return "127.0.0.1:" + port }},
	"KUROMAJUTSU_LOG_LEVEL":  {"log.level", asItIs},
	"EVALUATION_PROMPT_PATH": {"evaluation.prompt_file", inProject},
	"USE_MOCK_EVALUATOR":     {"evaluation.mock", func(_ *loading, is string) string { return strings.ToLower(is) }},
	"EC_APP_ROOT":            {"workspace.root", asItIs},
	"EC_ALLOW_EXT":           {"workspace.extensions", extensions},
	"EC_MAX_BYTES":           {"workspace.max_bytes", asItIs},
	"EC_OLLAMA_ENDPOINT":     {"drivers.hermes.endpoint", asItIs},
	"EC_MODEL_NAME":          {"drivers.hermes.model", asItIs},
	"EC_MCP_URL":             {"run.mcp_url", asItIs},
	"EC_RAG_URL":             {"run.rag_url", asItIs},
}

func asItIs(_ *loading, text string) string { return text }

// inProject is a path that does not come from the file, and so is not beside it.
func inProject(l *loading, p string) string {
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(l.src.Dir, p)
}

// extensions is a list such as "py; .md", which may leave the dots out.
func extensions(_ *loading, list string) string {
	parts := strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(",; \t", r) })
	for i, part := range parts {
		parts[i] = "." + strings.TrimPrefix(part, ".")
	}
	return strings.Join(parts, ",")
}
