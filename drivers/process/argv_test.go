package process_test

import (
	"slices"
	"strings"
	"testing"
)

// The arguments of a process are known as they were given, but for its secrets.
func TestArgumentsAreKnownWithoutSecrets(t *testing.T) {
	secret := "sk-" + strings.Repeat("s", 40)
	c := command("say", "AGENT_API_KEY="+secret)
	c.Args = append(slices.Clone(c.Args), "--key", secret, "--header=Bearer "+secret+".")
	p := begin(t, c)
	got := p.Argv()
	if want := append([]string{c.Path}, c.Args...); len(got) != len(want) || got[0] != want[0] {
		t.Fatalf("%q, want %q", got, want)
	}
	if all := strings.Join(got, " "); strings.Contains(all, secret) || !strings.HasSuffix(all, "--key [redacted] --header=Bearer [redacted].") {
		t.Errorf("%q", got)
	}
	<-p.Done()
	p.Stop(t.Context())
}
