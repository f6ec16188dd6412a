package config_test

import (
	"regexp"
	"strings"
	"testing"

	"kurogo/messages"
)

func ofRole(s messages.Scene) bool { return strings.HasPrefix(string(s.Who), "role:") }

// played is what an agent of the role plays when it is told so.
func played(t *testing.T, p messages.Performance, role, prompt string) messages.Scene {
	t.Helper()
	for _, s := range p.Scenes {
		if (s.Who == "role:*" || s.Who == messages.Address("role:"+role)) && regexp.MustCompile(s.Match).MatchString(prompt) {
			return s
		}
	}
	t.Fatalf("%s has no scene for %q", role, prompt)
	return messages.Scene{}
}

func TestEveryRoleCanBeRehearsed(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"ja", "en"} {
		p := demo(t, language)
		paths := map[string]bool{}
		for _, role := range load(t, `language = "`+language+`"`).RoleList() {
			well := played(t, p, role.ID, role.HealthPrompt)
			if len(well.Lines) != 1 || well.Lines[0].Say != "OK" {
				t.Errorf("%s: %s is not well: %+v", language, role.ID, well)
			}
			s := played(t, p, role.ID, "Build it, and respond with exactly: OK then.")
			var thought, wrote string
			var order []string
			var report messages.Account
			for _, l := range s.Lines {
				thought += l.Think
				switch {
				case l.Use != nil:
					order = append(order, "use")
				case l.Write != nil:
					order, wrote = append(order, "write"), l.Write.Path
				case l.Report != nil:
					order, report = append(order, "report"), *l.Report
				}
			}
			if got := strings.Join(order, " "); got != "use write report" {
				t.Errorf("%s: %s does %s", language, role.ID, got)
			}
			if s.Who == "role:*" || thought == "" || s.Lines[1].Say == "" || waits(s) == 0 {
				t.Errorf("%s: %s plays %+v", language, role.ID, s)
			}
			if paths[wrote] || !strings.HasPrefix(wrote, "rehearsal/") {
				t.Errorf("%s: %s writes %q", language, role.ID, wrote)
			}
			paths[wrote] = true
			last := s.Lines[len(s.Lines)-1].Say
			mark := map[string]string{"ja": "(稽古)", "en": "(rehearsal) "}[language]
			if !strings.HasPrefix(last, mark) || !strings.Contains(last, "{{content}}") || !strings.Contains(last, wrote) {
				t.Errorf("%s: %s ends with %q", language, role.ID, last)
			}
			if report.Status != messages.ResultSuccess || !strings.HasPrefix(report.Summary, mark) || !strings.Contains(report.Summary, wrote) ||
				!strings.HasPrefix(report.Response, mark) || !strings.Contains(report.Response, "{{content}}") {
				t.Errorf("%s: %s reports %+v", language, role.ID, report)
			}
		}
		if got := said(played(t, p, "of-the-users-own", "do it")); !strings.Contains(got, "{{content}}") {
			t.Errorf("%s: a role of the user's own says %q", language, got)
		}
	}
}
