package actors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"kurogo/messages"
)

// System words what an agent is: its role, then who it is among the others and
// how it reports.
func System(role messages.Role, a messages.Agent, language string) string {
	var b strings.Builder
	if role.SystemPrompt != "" {
		b.WriteString(strings.TrimSpace(role.SystemPrompt) + "\n\n")
	}
	if language == "ja" {
		fmt.Fprintf(&b, "あなたはエージェント %s です(職種 %s、グループ %s)。他の人はあなたの画面を見ていません。質問はできません。\n", a.ID, a.Role, a.Group)
		fmt.Fprintf(&b, "作業が終わったら、MCP サーバー kurogo のツール %s を agentId=%q、status、summary、editedFiles、createdFiles を付けて一度呼び出してください。そのツールがない場合は、最後の発言を短いまとめにしてください。", reportTool, a.ID)
	} else {
		fmt.Fprintf(&b, "You are the agent %s (role %s, group %s). Nobody watches your screen, and you cannot ask questions.\n", a.ID, a.Role, a.Group)
		fmt.Fprintf(&b, "When your work is done, call the tool %s of the MCP server kurogo once, with agentId=%q, status, summary, editedFiles and createdFiles. If there is no such tool, end with a short summary.", reportTool, a.ID)
	}
	if len(role.Tools) > 0 {
		if language == "ja" {
			b.WriteString("\n使ってよいツール: ")
		} else {
			b.WriteString("\nTools that you may use: ")
		}
		b.WriteString(strings.Join(role.Tools, ", "))
	}
	return b.String()
}

// earlierBytes is how much of each earlier result a later stage reads.
const earlierBytes = 8 << 10

// Brief words an agent's one turn: a header line, what came of the stage before,
// and the prompt of whoever ordered it. Because a line of ours comes first, no
// prompt can pass itself off as a command of the CLI.
func Brief(w *messages.Work, language string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[agent %s · task %s]\n", w.Agent.ID, w.Task.ID)
	for _, r := range w.Earlier {
		if language == "ja" {
			fmt.Fprintf(&b, "\n[前の段階の結果 · %s · %s · %s]\n", r.Agent, r.Role, r.Status)
		} else {
			fmt.Fprintf(&b, "\n[result of the stage before · %s · %s · %s]\n", r.Agent, r.Role, r.Status)
		}
		text := r.Summary
		if r.Response != "" {
			text += "\n" + r.Response
		}
		if r.Error != "" {
			text += "\n" + r.Error
		}
		if files := append(append([]string{}, r.Created...), r.Edited...); len(files) > 0 {
			text += "\n" + strings.Join(files, "\n")
		}
		b.WriteString(messages.Cut(text, earlierBytes) + "\n")
	}
	if len(w.Earlier) > 0 {
		b.WriteString("\n")
	}
	b.WriteString(w.Messages[0].Content)
	return b.String()
}

const reportTool = "report_result"

// ReportTool is the tool with which an agent reports in-band.
func ReportTool() messages.Tool {
	return messages.Tool{
		Name:        reportTool,
		Description: "Report what came of your work, once, when it is done (作業の結果を報告します).",
		Schema: json.RawMessage(`{"type":"object","properties":{` +
			`"agentId":{"type":"string"},` +
			`"status":{"type":"string","enum":["success","failure","timeout","cancelled"]},` +
			`"summary":{"type":"string"},"response":{"type":"string"},` +
			`"editedFiles":{"type":"array","items":{"type":"string"}},` +
			`"createdFiles":{"type":"array","items":{"type":"string"}},` +
			`"errorMessage":{"type":"string"}},"required":["status","summary"]}`),
	}
}

// Reported reads the arguments of an in-band report.
func Reported(input json.RawMessage) (messages.Report, error) {
	var in struct {
		Agent messages.AgentID `json:"agentId"` // whose it is, the life itself says
		messages.Report
	}
	d := json.NewDecoder(bytes.NewReader(input))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return in.Report, messages.Invalid("arguments", "%v", err).Try("send status and summary and, if there are any, editedFiles and createdFiles")
	}
	return in.Report, CheckReport(in.Report)
}

// CheckReport says what is wrong with a report.
func CheckReport(r messages.Report) error {
	switch r.Status {
	case messages.ResultSuccess, messages.ResultFailure, messages.ResultTimeout, messages.ResultCancelled:
	default:
		return messages.Invalid("status", "%q is no status", r.Status).Try("use success, failure, timeout or cancelled")
	}
	if strings.TrimSpace(r.Summary) == "" {
		return messages.Invalid("summary", "it is empty").Try("say in a sentence what came of the work")
	}
	return nil
}
