package api_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"kurogo/messages"
	"kurogo/transport/api"
)

var update = flag.Bool("update", false, "write the golden files anew")

func measured(m api.Metrics, err error) string {
	return do(api.New(nil, nil, api.Options{Metrics: func(context.Context) (api.Metrics, error) { return m, err }}), request("GET /metrics")).Body.String()
}

// What a scraper reads, line by line.
func TestMetrics(t *testing.T) {
	got := measured(api.Metrics{
		Version: "v1 \"x\"\\\n", StartedAt: noon, Rehearsal: true,
		Agents: map[string]int{"running": 3, "queued": 2}, Slots: 10, Working: 3, Queue: 2,
		Tasks: map[string]int{"waiting": 1}, Personas: map[string]int{"idle": 6, "working": 1}, Mailbox: map[string]int{"grand_boss": 4},
		Spending: map[string]api.Spending{"sonnet": {Turns: 7, InputTokens: 100, OutputTokens: 20, CachedTokens: 5, Micros: 1_234_567}, "gpt": {Turns: 1}},
		Commits:  1e9, CommitSeconds: 0.25, Changes: 12, Events: 99, Watchers: 2, Clients: map[string]int{"stdio": 1, "http": 0},
	}, nil)
	const golden = "testdata/metrics.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || got != string(want) {
		t.Errorf("%v; it says\n%s", err, got)
	}
	for _, page := range []string{got, measured(api.Metrics{}, nil)} {
		form(t, page)
	}
}

// form wants the text format: each family is announced once, then its samples.
func form(t *testing.T, page string) {
	t.Helper()
	var (
		help   = regexp.MustCompile(`^# HELP ([a-z_]+) \S.*\.$`)
		kind   = regexp.MustCompile(`^# TYPE ([a-z_]+) (gauge|counter)$`)
		sample = regexp.MustCompile(`^([a-z_]+)(\{[a-z]+="(\\.|[^"\\])*"(,[a-z]+="(\\.|[^"\\])*")*\})? -?[0-9.e+]+$`)
	)
	family, seen := "", map[string]bool{}
	for _, line := range strings.Split(strings.TrimSuffix(page, "\n"), "\n") {
		switch h, k, s := help.FindStringSubmatch(line), kind.FindStringSubmatch(line), sample.FindStringSubmatch(line); {
		case h != nil:
			if family = h[1]; seen[family] {
				t.Errorf("%s comes twice", family)
			}
			seen[family] = true
		case k != nil && k[1] == family:
			if strings.HasSuffix(family, "_total") != (k[2] == "counter") {
				t.Errorf("%s is no %s", family, k[2])
			}
		case s != nil && s[1] == family:
		default:
			t.Errorf("not in the format: %q", line)
		}
	}
}

func TestMetricsThatFail(t *testing.T) {
	if got := measured(api.Metrics{}, errors.New("no journal")); !strings.Contains(got, string(messages.CodeInternal)) || strings.Contains(got, "kurogo_") {
		t.Errorf("it said %s", got)
	}
}
