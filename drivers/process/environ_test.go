package process_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kurogo/drivers/process"
)

func TestEnvironLetsOnlyTheListThrough(t *testing.T) {
	got := process.Environ([]string{
		"PATH=/bin", "HOME=/home/me", "LC_ALL=C", "TERM=xterm", "https_proxy=http://p", "XDG_CACHE_HOME=/c", "SSL_CERT_FILE=/ca",
		"ANTHROPIC_API_KEY=canary", "AWS_SECRET=canary", "PATHS=canary", "KUROGO_LIFE=canary", "SPECIAL=1", "MINE_A=2", "broken",
	}, map[string]string{"HOME": "/agent", "OPENAI_API_KEY": "own"}, "SPECIAL", "MINE_*")
	want := []string{
		"HOME=/agent", "LC_ALL=C", "MINE_A=2", "OPENAI_API_KEY=own", "PATH=/bin", "SPECIAL=1",
		"SSL_CERT_FILE=/ca", "TERM=dumb", "XDG_CACHE_HOME=/c", "https_proxy=http://p",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestALifeSeesItsEnvironmentAndItsMarker(t *testing.T) {
	t.Setenv("CANARY_TOKEN", "canary")
	cmd := command("environ")
	cmd.Life = "store:1:me"
	p := begin(t, cmd)
	var seen []string
	for line := range p.Lines() {
		seen = append(seen, string(line.Text))
	}
	if !slices.Contains(seen, process.Marker+"=store:1:me") {
		t.Errorf("no marker in %q", seen)
	}
	if strings.Contains(strings.Join(seen, "\n"), "canary") {
		t.Errorf("a secret travelled: %q", seen)
	}
	if slices.Contains(os.Environ(), process.Marker+"=store:1:me") {
		t.Error("we carry the marker ourselves")
	}
}
