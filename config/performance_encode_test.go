package config_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kurogo/config"
	"kurogo/messages"
)

// again writes p, reads it back and wants p.
func again(t *testing.T, p messages.Performance) {
	t.Helper()
	b, err := config.EncodePerformance(p)
	if err != nil {
		t.Fatalf("encode: %v", err)
	}
	file := filepath.Join(t.TempDir(), "again.toml")
	if err := os.WriteFile(file, b, 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := config.LoadPerformance(file, "ja")
	if err != nil {
		t.Fatalf("load:\n%v\n%s", err, b)
	}
	if diff := cmp.Diff(p, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("-want +got\n%s", diff)
	}
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 9696))
		again(t, anyPerformance(r))
	}
	for _, language := range []string{"ja", "en"} {
		p, err := config.LoadPerformance("", language)
		if err != nil {
			t.Fatal(err)
		}
		again(t, p)
	}
}

func anyPerformance(r *rand.Rand) messages.Performance {
	p := messages.Performance{Title: anyText(r), Task: anyText(r)}
	for range 1 + r.IntN(4) {
		s := messages.Scene{
			Name: anyText(r), Who: "somebody", On: pick(r, append(messages.Types(), "")...), From: pick(r, "", messages.User),
			Match: pick(r, "", `^a\.b"'\n`, "一|二"), Attempt: r.IntN(3),
		}
		for range 1 + r.IntN(5) {
			s.Lines = append(s.Lines, anyLine(r))
		}
		p.Scenes = append(p.Scenes, s)
	}
	return p
}

func anyLine(r *rand.Rand) messages.Line {
	said := "x" + anyText(r)
	line := pick(r,
		messages.Line{Think: said}, messages.Line{Say: said}, messages.Line{Answer: said}, messages.Line{Fail: said},
		messages.Line{Babble: said}, messages.Line{Crash: 1 + r.IntN(255)}, messages.Line{Hang: true},
		messages.Line{Write: &messages.Prop{Path: "a/b c.txt", Content: anyText(r)}},
		messages.Line{Use: &messages.Gesture{Tool: said, Args: pick(r, "", "a/b c.txt", `{"pattern":"\n*.go"}`), Wait: time.Duration(r.IntN(3)) * time.Second}},
		messages.Line{Report: &messages.Account{
			Status: pick(r, messages.ResultSuccess, messages.ResultFailure, messages.ResultTimeout, messages.ResultCancelled), Summary: said, Response: anyText(r),
			Edited: pick(r, nil, []string{"a"}, []string{anyText(r), "b/c d.txt"}), Created: pick(r, nil, []string{said}),
			Error: anyText(r), Expect: pick(r, "", messages.CodeConflict),
		}},
		messages.Line{Send: &messages.Cue{
			To: "other", Type: pick(r, messages.Types()...), Content: anyText(r), Thinking: anyText(r),
			Priority: pick(r, "", messages.Low, messages.Urgent), TTL: r.IntN(3), Expect: pick(r, "", messages.CodeDenied),
		}},
	)
	line.Wait = time.Duration(r.IntN(3)) * 1500 * time.Microsecond
	return line
}

func anyText(r *rand.Rand) string {
	parts := []string{"", "a", "\n", "\r\n", `"`, `"""`, "'''", `\`, `\n`, "\t", "\x00", "\x7f", "黒衣", "🎭", "{{content}}", "#", "[x]", "=", " "}
	var b strings.Builder
	for range r.IntN(6) {
		b.WriteString(pick(r, parts...))
	}
	return b.String()
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

func TestWhatNoScriptCanSayIsRefused(t *testing.T) {
	t.Parallel()
	scene := func(l ...messages.Line) messages.Performance {
		return messages.Performance{Scenes: []messages.Scene{{Who: "a", Lines: l}}}
	}
	for name, p := range map[string]messages.Performance{
		"no scenes":   {},
		"no lines":    scene(),
		"no action":   scene(messages.Line{Wait: time.Second}),
		"two actions": scene(messages.Line{Say: "a", Think: "b"}),
		"not UTF-8":   scene(messages.Line{Babble: "\xff"}),
		"no tool":     scene(messages.Line{Use: &messages.Gesture{Args: "a"}}),
		"no status":   scene(messages.Line{Report: &messages.Account{Summary: "a"}}),
		"elsewhere":   scene(messages.Line{Write: &messages.Prop{Path: "/etc/passwd"}}),
	} {
		if b, err := config.EncodePerformance(p); err == nil {
			t.Errorf("%s was written:\n%s", name, b)
		}
	}
}
