package claude

import (
	"encoding/json"
	"slices"
	"strconv"

	"kurogo/messages"
)

// unfit are tools of the CLI that have no place in a life of ours: some ask a
// person who is not there, some begin turns that nobody gave, and two reach
// other sessions past the router.
const unfit = "AskUserQuestion,EnterPlanMode,ExitPlanMode,Monitor,ScheduleWakeup,CronCreate,CronDelete,CronList,ListAgents,SendMessage"

// argv is what a life is started with. Nothing large is in it, and nothing
// secret: everybody can read it.
func (o Options) argv(f features, spec messages.Spec) ([]string, error) {
	argv := slices.Concat(o.Args, []string{
		"--print", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
		"--strict-mcp-config",   // no servers but ours
		"--setting-sources", "", // no settings of the directory
		"--disable-slash-commands", // a message is no command
		"--disallowedTools=" + forbidden(spec),
	})
	form, err := schema(f, spec)
	if err != nil {
		return nil, err
	}
	argv = append(argv, form...)
	if spec.ReadOnly && f.only {
		argv = append(argv, only+"="+looks)
	}
	if spec.Deltas && f.partial {
		argv = append(argv, partial)
	}
	if spec.OneShot {
		argv = append(argv, "--allowedTools="+newPolicy(o.Permission).rules())
	} else {
		argv = append(argv, "--permission-prompt-tool", "stdio") // it asks us (policy.go)
	}
	if f.snapshot {
		argv = append(argv, snapshot, "off")
	}
	if f.cap && spec.OneShot && spec.Cap > 0 {
		argv = append(argv, budget, strconv.FormatFloat(float64(spec.Cap)/1e6, 'f', -1, 64))
	}
	if spec.MCP.URL != "" {
		file, err := introduce(spec)
		if err != nil {
			return nil, err
		}
		argv = append(argv, "--mcp-config="+file)
	}
	if spec.Model != "" {
		argv = append(argv, "--model", spec.Model)
	}
	if spec.Session != "" {
		argv = append(argv, "--resume", spec.Session, "--fork-session")
		if spec.Border != "" {
			argv = append(argv, "--resume-session-at", spec.Border)
		}
	}
	return argv, nil
}

// looks are the tools of the CLI that change nothing, and changes those that do:
// for a version that cannot be told the former, it is told the latter.
const (
	looks   = "Read,Glob,Grep"
	changes = "Agent,Bash,Edit,MultiEdit,NotebookEdit,Task,Write"
)

func forbidden(spec messages.Spec) string {
	if spec.ReadOnly {
		return unfit + "," + changes
	}
	return unfit
}

// longestSchema is what fits into one argument of a process.
const longestSchema = 100 << 10

// schema is the form of the last words.
func schema(f features, spec messages.Spec) ([]string, error) {
	switch {
	case len(spec.Schema) == 0:
		return nil, nil
	case !f.schema:
		return nil, messages.Invalid("schema", "Claude Code %s keeps to none", f.version).Try("update it (npm install -g @anthropic-ai/claude-code)")
	case len(spec.Schema) > longestSchema || !json.Valid(spec.Schema):
		return nil, messages.Invalid("schema", "it is no JSON of at most %d bytes", longestSchema)
	}
	return []string{formed, string(spec.Schema)}, nil
}
