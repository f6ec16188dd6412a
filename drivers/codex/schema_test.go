package codex_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kurogo/drivers/codex"
	"kurogo/messages"
)

// The form of the last words is in a file of the life, and in the arguments of
// exec; who may only look has the sandbox for that.
func TestTheArgumentsOfAnEvaluator(t *testing.T) {
	home := t.TempDir()
	spec := messages.Spec{OneShot: true, ReadOnly: true, Schema: []byte(`{"type":"object"}`), Home: home}
	o := codex.Options{Permission: codex.Allow}
	got := strings.Join(told(t, o, spec).Args, " ")
	file := filepath.Join(home, "schema.json")
	for _, want := range []string{"--output-schema " + file, "--sandbox read-only"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != string(spec.Schema) {
		t.Errorf("%s, %v", text, err)
	}
	if got := strings.Join(told(t, o, messages.Spec{OneShot: true}).Args, " "); strings.Contains(got, "--output-schema") || !strings.Contains(got, "--sandbox danger-full-access") {
		t.Errorf("without a form: %q", got)
	}
}

func TestASchemaThatCannotBeKept(t *testing.T) {
	for name, c := range map[string]struct {
		as   string
		spec messages.Spec
		want string
	}{
		"no JSON":        {tells, messages.Spec{Schema: []byte("{"), Home: t.TempDir()}, "schema"},
		"without a home": {tells, messages.Spec{Schema: []byte("{}"), OneShot: true}, "home"},
	} {
		s, err := faked(c.as, codex.Options{Config: codex.Shared}).Start(t.Context(), c.spec)
		if e := messages.AsError(err); e == nil || e.Field != c.want {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
}
