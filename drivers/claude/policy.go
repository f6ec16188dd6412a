package claude

import (
	"encoding/json"
	"slices"
	"strings"

	"kurogo/drivers/ndjson"
)

// A policy answers for which tools of the CLI nobody needs to be asked.
type policy struct {
	all   bool
	tools []string
}

func newPolicy(permission string) policy {
	switch permission {
	case "", Deny:
		return policy{}
	case Allow:
		return policy{all: true}
	}
	var p policy
	for name := range strings.SplitSeq(permission, ",") {
		p.tools = append(p.tools, strings.TrimSpace(name))
	}
	return p
}

// allows reports whether a tool may be used. Our own always may: what they do is
// checked where it is done.
func (p policy) allows(tool string) bool {
	return p.all || slices.Contains(p.tools, tool) || strings.HasPrefix(tool, toolPrefix)
}

// everything are the tools for which a version of the CLI may ask.
var everything = []string{
	"Bash", "BashOutput", "Edit", "Glob", "Grep", "KillShell", "LS", "MultiEdit", "NotebookEdit", "NotebookRead", "Read", "Skill", "Task", "WebFetch", "WebSearch", "Write",
}

// rules are the policy in the CLI's own words, for a life that cannot ask us. It
// takes no "*" for all tools.
func (p policy) rules() string {
	tools := p.tools
	if p.all {
		tools = everything
	}
	return strings.Join(append([]string{strings.TrimSuffix(toolPrefix, "__")}, tools...), ",")
}

// permit answers the CLI's question whether a tool may be used.
func (d *dialogue) permit(e event) (ndjson.Heard, error) {
	if !d.policy.allows(e.Request.Tool) {
		return replied(grant(e.RequestID, map[string]any{
			"behavior": "deny", "message": "The owner of this crew has not allowed " + e.Request.Tool + ". Do without it.",
		}))
	}
	input := e.Request.Input
	if len(input) == 0 {
		input = json.RawMessage(`{}`)
	}
	return replied(grant(e.RequestID, map[string]any{"behavior": "allow", "updatedInput": input}))
}

func replied(line []byte, err error) (ndjson.Heard, error) {
	return ndjson.Heard{Replies: [][]byte{line}}, err
}
