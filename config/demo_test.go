package config_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kurogo/config"
	"kurogo/messages"
)

func demo(t *testing.T, language string) messages.Performance {
	t.Helper()
	p, err := config.LoadPerformance("", language)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// playing is the scene that an incoming message starts.
func playing(t *testing.T, p messages.Performance, who messages.Address, m messages.Cue, from messages.Address, attempt int) messages.Scene {
	t.Helper()
	for _, s := range p.Scenes {
		if s.Who == who && (s.On == "" || s.On == m.Type) && (s.From == "" || s.From == from) &&
			(s.Attempt == 0 || s.Attempt == attempt) && regexp.MustCompile(s.Match).MatchString(m.Content) {
			return s
		}
	}
	t.Fatalf("%s has no scene for %q", who, m.Content)
	return messages.Scene{}
}

func cues(s messages.Scene) []messages.Cue {
	var out []messages.Cue
	for _, l := range s.Lines {
		if l.Send != nil {
			out = append(out, *l.Send)
		}
	}
	return out
}

func said(s messages.Scene) string {
	out := ""
	for _, l := range s.Lines {
		if l.Say != "" {
			out = l.Say
		}
	}
	return out
}

// The whole evening, in the order in which the crew lives it.
func TestTheShippedPerformanceIsTheWholeStory(t *testing.T) {
	t.Parallel()
	for language, colour := range map[string]string{"ja": "【配色】", "en": "[colour]"} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			p := demo(t, language)
			h := load(t, `language = "`+language+`"`).Hierarchy()

			opening := playing(t, p, "grand_boss", messages.Cue{Type: messages.TaskRequest, Content: p.Task}, messages.User, 1)
			asks := cues(opening)
			if len(asks) != 2 || asks[0].Expect != messages.CodeDenied || asks[0].To != "coding_specialist" || asks[1].To != "middle_manager" {
				t.Fatalf("the boss asks %+v", asks)
			}
			if !strings.Contains(asks[1].Content, "{{content}}") {
				t.Error("the boss does not pass on what the user asked")
			}
			plan := playing(t, p, "middle_manager", asks[1], "grand_boss", 1)
			var answers []string
			asked := map[messages.Address][]messages.Cue{}
			for _, c := range cues(plan) {
				if !slices.Contains(h["middle_manager"].TalksTo, c.To) {
					t.Errorf("the manager may not write to %s", c.To)
				}
				asked[c.To] = append(asked[c.To], c)
				answers = append(answers, said(playing(t, p, c.To, c, "middle_manager", 2)))
			}
			if len(asked) != 5 {
				t.Errorf("%d specialists are asked, want all five", len(asked))
			}
			if r := asked["research_specialist"]; len(r) != 3 || r[1].Priority != messages.Normal || r[2].Priority != messages.Urgent {
				t.Errorf("nothing overtakes anything: %+v", r)
			}
			if a := asked["analysis_specialist"]; len(a) != 2 || a[0].TTL != 0 || a[1].TTL != 1 || waits(playing(t, p, a[0].To, a[0], "middle_manager", 1)) < 2*time.Second {
				t.Errorf("nothing expires: %+v", a)
			}
			fall := playing(t, p, "coding_specialist", asked["coding_specialist"][0], "middle_manager", 1)
			if last := fall.Lines[len(fall.Lines)-1]; last.Crash != 1 {
				t.Errorf("nobody falls: %+v", last)
			}
			slices.Sort(answers)
			if len(slices.Compact(answers)) != 8 || slices.Contains(answers, "") {
				t.Errorf("eight requests must play eight scenes: %q", answers)
			}

			for _, first := range []messages.Type{messages.TaskComplete, messages.TaskFailed} {
				gathered := messages.Cue{Type: first, Content: strings.Join(answers, "\n\n")}
				summary := said(playing(t, p, "middle_manager", gathered, "testing_specialist", 1))
				if !strings.Contains(summary, colour) || !strings.Contains(summary, "analysis_specialist") {
					t.Errorf("the manager does not name what failed: %s", summary)
				}
				curtain := said(playing(t, p, "grand_boss", messages.Cue{Type: messages.TaskComplete, Content: summary}, "middle_manager", 1))
				if !strings.Contains(curtain, "main.go") || strings.Contains(curtain, "{{content}}") {
					t.Errorf("the last words are %s", curtain)
				}
			}
		})
	}
}

func TestWithoutTheCodeNobodyClaimsSuccess(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"ja", "en"} {
		p := demo(t, language)
		for _, first := range []messages.Type{messages.TaskComplete, messages.TaskFailed} {
			m := messages.Cue{Type: first, Content: "coding_specialist: crash"}
			for _, who := range []messages.Address{"middle_manager", "grand_boss"} {
				if got := said(playing(t, p, who, m, "coding_specialist", 1)); !strings.Contains(got, "{{content}}") || strings.Contains(got, "main.go") {
					t.Errorf("%s says %s", who, got)
				}
			}
		}
	}
}

func TestEverybodyHasAWordForEverything(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"ja", "en"} {
		p := demo(t, language)
		for who := range load(t, "").Hierarchy() {
			for _, kind := range append(messages.Types(), "") {
				m := messages.Cue{Type: kind, Content: "?"}
				if s := playing(t, p, who, m, "somebody", 1); said(s) == "" {
					t.Errorf("%s is silent at %q", who, kind)
				}
			}
		}
	}
}

func waits(s messages.Scene) (sum time.Duration) {
	for _, l := range s.Lines {
		sum += l.Wait
	}
	return sum
}

func TestThePerformanceKeepsItsTimeAndThinksAloud(t *testing.T) {
	t.Parallel()
	var beats [2][]time.Duration
	for i, language := range []string{"ja", "en"} {
		var sum time.Duration
		for _, s := range demo(t, language).Scenes {
			beats[i] = append(beats[i], waits(s))
			if !ofRole(s) {
				sum += waits(s)
			}
			if waits(s) > 0 && s.Lines[0].Think == "" {
				t.Errorf("%s: %q begins without a thought", language, s.Name)
			}
		}
		if sum < 6*time.Second || sum > 12*time.Second {
			t.Errorf("%s: waits %s in all, want 6 s to 12 s", language, sum)
		}
	}
	if diff := cmp.Diff(beats[0], beats[1]); diff != "" {
		t.Errorf("the two languages play different pieces:\n%s", diff)
	}
}

// What the crew writes on the stage has to be a program.
func TestThePropsAreReal(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds a program")
	}
	gotool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go tool here")
	}
	for _, language := range []string{"ja", "en"} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, s := range demo(t, language).Scenes {
				for _, l := range s.Lines {
					if l.Write == nil {
						continue
					}
					p := filepath.Join(dir, l.Write.Path)
					if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o755), os.WriteFile(p, []byte(l.Write.Content), 0o644)); err != nil {
						t.Fatal(err)
					}
				}
			}
			run := func(args ...string) string {
				t.Helper()
				cmd := exec.CommandContext(t.Context(), gotool, args...)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "GOTOOLCHAIN=local")
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
				}
				return string(out)
			}
			run("build", "-o", filepath.Join(dir, "noren"), ".")
			run("vet", "./...")
			run("test", "./...")
			banner := run("run", ".", "-drop", "1", "黒衣")
			manual, err := os.ReadFile(filepath.Join(dir, "README.md"))
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(banner) {
				if !strings.Contains(string(manual), strings.TrimRight(line, "\n")) {
					t.Errorf("the manual does not show what comes out: %q", line)
				}
			}
		})
	}
}
