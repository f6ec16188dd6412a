package main_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

// use is a step in which a model uses a tool of ours.
func use(tool string, input map[string]any) modeltest.Step {
	return modeltest.Step{Tools: []modeltest.Tool{{Name: "mcp__kurogo__" + tool, Input: input}}}
}

// A part is what a client does next, knowing what its tools have answered so far.
type part func(told []answer) modeltest.Step

// An answer is what our tools say of groups and agents.
type answer struct {
	Group  messages.GroupID `json:"groupId"`
	Agents []struct {
		ID messages.AgentID `json:"agentId"`
	} `json:"agents"`
	text string
}

// parts play one after another, until a tool answers with no object.
func parts(all ...part) modeltest.Rule {
	return func(r modeltest.Request) (modeltest.Step, bool) {
		var told []answer
		for _, m := range r.Messages {
			for _, text := range m.Results {
				a := answer{text: text}
				if err := json.Unmarshal([]byte(text), &a); err != nil {
					return modeltest.Step{Text: "I give up: " + text}, true
				}
				told = append(told, a)
			}
		}
		return all[min(r.Step(), len(all)-1)](told), true
	}
}

// errand is the whole way of a client: it opens a group, has two agents run, waits
// for both, looks at both, closes the group, and says what it was told.
func errand() modeltest.Rule {
	return parts(
		func([]answer) modeltest.Step {
			return use("create_group", map[string]any{"description": "a verse and a gate"})
		},
		func(told []answer) modeltest.Step {
			return use("run_agents", map[string]any{"groupId": told[0].Group, "agents": []any{
				map[string]any{"role": "scribe", "prompt": "Write a verse."}, map[string]any{"role": "smith", "prompt": "Forge a gate."},
			}})
		},
		func(told []answer) modeltest.Step {
			return use("wait_agent", map[string]any{"agentIds": []messages.AgentID{told[1].Agents[0].ID, told[1].Agents[1].ID}})
		},
		func(told []answer) modeltest.Step {
			var looks modeltest.Step
			for _, a := range told[1].Agents {
				looks.Tools = append(looks.Tools, use("get_agent_status", map[string]any{"agentId": a.ID}).Tools...)
			}
			return looks
		},
		func(told []answer) modeltest.Step {
			return use("delete_group", map[string]any{"groupId": told[0].Group})
		},
		func(told []answer) modeltest.Step {
			var all []string
			for _, a := range told[2:] {
				all = append(all, a.text)
			}
			return modeltest.Step{Text: strings.Join(all, "\n")}
		},
	)
}

// A deed is what an agent's model does, knowing which agent it is.
type deed func(r modeltest.Request, self messages.AgentID) modeltest.Step

var named = regexp.MustCompile(`agentId="([^"]+)"`)

// does is the work of a role: one deed after another.
func does(role string, deeds ...deed) modeltest.Rule {
	return func(r modeltest.Request) (modeltest.Step, bool) {
		self := named.FindStringSubmatch(r.System)
		if !strings.Contains(r.System, role) || self == nil {
			return modeltest.Step{}, false
		}
		return deeds[min(r.Step(), len(deeds)-1)](r, messages.AgentID(self[1])), true
	}
}

func hangs(modeltest.Request, messages.AgentID) modeltest.Step { return modeltest.Step{Hang: true} }

func speaks(text string) deed {
	return func(modeltest.Request, messages.AgentID) modeltest.Step { return modeltest.Step{Text: text} }
}

// uses is the use of a tool. The newer models of Codex are given none: they write
// code that uses them.
func uses(tool string, input func(self messages.AgentID) map[string]any) deed {
	return func(r modeltest.Request, self messages.AgentID) modeltest.Step {
		call := modeltest.Tool{Name: tool, Input: input(self)}
		if !slices.Contains(r.Tools, tool) && r.Header.Get("X-Api-Key") == "" {
			args, _ := json.Marshal(call.Input) // texts
			call = modeltest.Tool{Name: "exec", Input: fmt.Sprintf("text(await tools.%s(%s));", tool, args)}
		}
		return modeltest.Step{Tools: []modeltest.Tool{call}}
	}
}

func reports(summary string) deed {
	return uses("mcp__kurogo__report_result", func(self messages.AgentID) map[string]any {
		return map[string]any{"agentId": self, "status": "success", "summary": summary}
	})
}

// content is what every file holds when the agents have done their work.
const content = "iron\n"

// writes has Claude Code make a file.
func writes(file string) deed {
	return uses("Write", func(messages.AgentID) map[string]any {
		return map[string]any{"file_path": file, "content": content}
	})
}

// patches has Codex make one file and change another.
func patches(fresh, old string) deed {
	return uses("exec_command", func(messages.AgentID) map[string]any {
		return map[string]any{"cmd": "apply_patch <<'END'\n*** Begin Patch\n*** Add File: " + fresh + "\n+" + content + "*** Update File: " + old + "\n@@\n-before\n+" + content + "*** End Patch\nEND\n"}
	})
}
