package config

import (
	"cmp"
	"fmt"
	"reflect"
	"time"

	"github.com/BurntSushi/toml"

	"kurogo/messages"
)

// LoadPerformance reads what a rehearsal plays: a TOML script at the path name,
// or for "" the shipped one in the language. Its error is Problems.
func LoadPerformance(name, language string) (messages.Performance, error) {
	if name != "" {
		script, err := read(name)
		if err != nil {
			return messages.Performance{}, Problems{{File: name, Message: err.Error(), Remedy: `name a script, or "" for the shipped one`}}
		}
		return parsePerformance(name, script)
	}
	if language != "ja" {
		language = "en"
	}
	var whole messages.Performance
	for _, part := range []string{"demo", "roles"} { // the crew, and those who come for one turn
		file := part + "." + language + ".toml"
		script, err := text.ReadFile("performance/" + file)
		if err != nil {
			return messages.Performance{}, fmt.Errorf("read shipped performance: %w", err)
		}
		p, err := parsePerformance(file, string(script))
		if err != nil {
			return messages.Performance{}, err
		}
		p.Scenes = append(whole.Scenes, p.Scenes...)
		p.Title, p.Task = cmp.Or(whole.Title, p.Title), cmp.Or(whole.Task, p.Task)
		whole = p
	}
	return whole, nil
}

// The shape of a script: messages.Performance with the keys that it has in TOML.
type (
	script struct {
		Title  string        `toml:"title,omitempty"`
		Task   string        `toml:"task,omitempty"`
		Scenes []scriptScene `toml:"scene"`
	}
	scriptScene struct {
		Name    string           `toml:"name,omitempty"`
		Who     messages.Address `toml:"who,omitempty"`
		On      messages.Type    `toml:"on,omitempty"`
		From    messages.Address `toml:"from,omitempty"`
		Match   string           `toml:"match,omitempty"`
		Attempt int              `toml:"attempt,omitzero"`
		Lines   []scriptLine     `toml:"line"`
	}
	scriptLine struct {
		Wait   time.Duration `toml:"wait,omitzero"`
		Think  string        `toml:"think,omitempty"`
		Say    string        `toml:"say,omitempty"`
		Send   *scriptCue    `toml:"send,omitempty"`
		Write  *scriptProp   `toml:"write,omitempty"`
		Use    *scriptUse    `toml:"use,omitempty"`
		Report *scriptReport `toml:"report,omitempty"`
		Answer string        `toml:"answer,omitempty"`
		Fail   string        `toml:"fail,omitempty"`
		Crash  int           `toml:"crash,omitzero"`
		Hang   bool          `toml:"hang,omitempty"`
		Babble string        `toml:"babble,omitempty"`
	}
	scriptCue struct {
		To       messages.Address  `toml:"to,omitempty"`
		Type     messages.Type     `toml:"type,omitempty"`
		Content  string            `toml:"content,omitempty"`
		Thinking string            `toml:"thinking,omitempty"`
		Priority messages.Priority `toml:"priority,omitempty"`
		TTL      int               `toml:"ttl,omitzero"`
		Expect   messages.Code     `toml:"expect,omitempty"`
	}
	scriptProp struct {
		Path    string `toml:"path"`
		Content string `toml:"content"`
	}
	scriptUse struct {
		Tool string        `toml:"tool,omitempty"`
		Args string        `toml:"args,omitempty"`
		Wait time.Duration `toml:"wait,omitzero"`
	}
	scriptReport struct {
		Status   messages.ResultStatus `toml:"status,omitempty"`
		Summary  string                `toml:"summary,omitempty"`
		Response string                `toml:"response,omitempty"`
		Edited   []string              `toml:"edited_files,omitempty"`
		Created  []string              `toml:"created_files,omitempty"`
		Error    string                `toml:"error_message,omitempty"`
		Expect   messages.Code         `toml:"expect,omitempty"`
	}
)

func parsePerformance(name, source string) (messages.Performance, error) {
	var ps Problems
	tree := map[string]any{}
	if err := toml.Unmarshal([]byte(source), &tree); err != nil {
		return messages.Performance{}, Problems{syntax(name, name, source, err)}
	}
	index := indexLines(source)
	report := func(at path, remedy, format string, args ...any) {
		ps = append(ps, Problem{File: name, Line: index.of(at), Key: at.String(), Message: fmt.Sprintf(format, args...), Remedy: remedy})
	}
	var s script
	decoder{report}.decode(tree, reflect.ValueOf(&s).Elem(), nil)
	s.check(report)
	if err := ps.sorted(); err != nil {
		return messages.Performance{}, err
	}
	return s.performance(), nil
}

// performance is the script in the words that everybody knows. A cue without a
// type is a task_request, as it is for send_message.
func (s script) performance() messages.Performance {
	out := messages.Performance{Title: s.Title, Task: s.Task}
	for _, scene := range s.Scenes {
		lines := make([]messages.Line, len(scene.Lines))
		for i, l := range scene.Lines {
			lines[i] = messages.Line{
				Wait: l.Wait, Think: l.Think, Say: l.Say, Send: (*messages.Cue)(l.Send), Write: (*messages.Prop)(l.Write),
				Use: (*messages.Gesture)(l.Use), Report: (*messages.Account)(l.Report),
				Answer: l.Answer, Fail: l.Fail, Crash: l.Crash, Hang: l.Hang, Babble: l.Babble,
			}
			if l.Send != nil && l.Send.Type == "" {
				lines[i].Send.Type = messages.TaskRequest
			}
		}
		out.Scenes = append(out.Scenes, messages.Scene{
			Name: scene.Name, Who: scene.Who, On: scene.On, From: scene.From,
			Match: scene.Match, Attempt: scene.Attempt, Lines: lines,
		})
	}
	return out
}
