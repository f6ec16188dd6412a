package config

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"kurogo/messages"
)

var (
	priorities = []messages.Priority{messages.Low, messages.Normal, messages.High, messages.Urgent}

	outcomes = []messages.ResultStatus{messages.ResultSuccess, messages.ResultFailure, messages.ResultTimeout, messages.ResultCancelled}

	refusals = []messages.Code{
		messages.CodeInvalid, messages.CodeNotFound, messages.CodeConflict, messages.CodeBusy, messages.CodeDenied,
		messages.CodeDeadline, messages.CodeRateLimited, messages.CodeUnavailable, messages.CodeCancelled, messages.CodeInternal,
	}
)

// A reporter takes one problem at a time.
type reporter func(at path, remedy, format string, args ...any)

func (s script) check(report reporter) {
	if len(s.Scenes) == 0 {
		report(path{"scene"}, "write at least one [[scene]]", "nothing is played")
	}
	for i, scene := range s.Scenes {
		scene.check(path{"scene"}.at(i), report)
	}
}

func (s scriptScene) check(at path, report reporter) {
	if s.Who == "" {
		report(at.key("who"), `write who = "grand_boss" or another of the crew, or who = "role:impl-code" or another role`, "nobody plays this scene")
	}
	if s.On != "" {
		known(report, at.key("on"), s.On, messages.Types())
	}
	if _, err := regexp.Compile(s.Match); err != nil {
		report(at.key("match"), "write a regular expression as Go knows it", "%v", err)
	}
	if s.Attempt < 0 {
		report(at.key("attempt"), "write 0 for any attempt, or 1 for the first", "%d is no attempt", s.Attempt)
	}
	if len(s.Lines) == 0 {
		report(at, "write at least one [[scene.line]]", "nothing happens in this scene")
	}
	for i, line := range s.Lines {
		line.check(at.key("line").at(i), report)
	}
}

func (l scriptLine) check(at path, report reporter) {
	const actions = "give each line exactly one of think, say, send, write, use, report, answer, fail, crash, hang, babble"
	set := 0
	for _, is := range []bool{
		l.Think != "", l.Say != "", l.Send != nil, l.Write != nil, l.Use != nil, l.Report != nil,
		l.Answer != "", l.Fail != "", l.Crash != 0, l.Hang, l.Babble != "",
	} {
		if is {
			set++
		}
	}
	if set != 1 {
		report(at, actions, "this line does %d things", set)
	}
	if l.Wait < 0 {
		report(at.key("wait"), `write a duration, such as "200ms"`, "%s has already passed", l.Wait)
	}
	if l.Crash < 0 || l.Crash > 255 {
		report(at.key("crash"), "write a status from 1 to 255", "%d is no exit status", l.Crash)
	}
	if l.Send != nil {
		l.Send.check(at.key("send"), report)
	}
	if l.Write != nil && !filepath.IsLocal(l.Write.Path) {
		report(at.key("write").key("path"), "write a path below the working directory", "%q leads elsewhere", l.Write.Path)
	}
	if l.Use != nil {
		l.Use.check(at.key("use"), report)
	}
	if l.Report != nil {
		l.Report.check(at.key("report"), report)
	}
}

func (u scriptUse) check(at path, report reporter) {
	if u.Tool == "" {
		report(at.key("tool"), `write tool = "Read", or another tool`, "no tool is used")
	}
	if strings.HasPrefix(u.Args, "{") && !json.Valid([]byte(u.Args)) {
		report(at.key("args"), `write a path, or a JSON object such as '{"pattern":"*.go"}'`, "this is no JSON")
	}
	if u.Wait < 0 {
		report(at.key("wait"), `write a duration, such as "200ms"`, "%s has already passed", u.Wait)
	}
}

func (r scriptReport) check(at path, report reporter) {
	known(report, at.key("status"), r.Status, outcomes)
	if strings.TrimSpace(r.Summary) == "" {
		report(at.key("summary"), "say in a sentence what came of the work", "this reports nothing")
	}
	if r.Expect != "" {
		known(report, at.key("expect"), r.Expect, refusals)
	}
}

func (c scriptCue) check(at path, report reporter) {
	if c.To == "" {
		report(at.key("to"), `write to = "middle_manager", or another of the crew`, "this goes to nobody")
	}
	if c.Type != "" {
		known(report, at.key("type"), c.Type, messages.Types())
	}
	if c.Priority != "" {
		known(report, at.key("priority"), c.Priority, priorities)
	}
	if c.Expect != "" {
		known(report, at.key("expect"), c.Expect, refusals)
	}
	if c.TTL < 0 {
		report(at.key("ttl"), "write seconds, or leave it out", "%d seconds have already passed", c.TTL)
	}
}

func known[S ~string](report reporter, at path, got S, words []S) {
	if !slices.Contains(words, got) {
		report(at, oneOf(words), "%q is not known here", got)
	}
}
