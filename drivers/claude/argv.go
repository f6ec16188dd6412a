package claude

import (
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
		"--disallowedTools=" + unfit,
	})
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
