package drivertest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

// CLI is the real CLI of this name, or skips the story by its name. It is what
// KUROGO_TEST_<NAME> says, or stands where KUROGO_TEST_CLI_DIR says.
func CLI(t *testing.T, name string) string {
	t.Helper()
	variable := "KUROGO_TEST_" + strings.ToUpper(name)
	paths := []string{os.Getenv(variable)}
	if dir := os.Getenv("KUROGO_TEST_CLI_DIR"); dir != "" {
		paths = append(paths, filepath.Join(dir, name), filepath.Join(dir, "node_modules", ".bin", name))
	}
	for _, path := range paths {
		if info, err := os.Stat(path); path != "" && err == nil && !info.IsDir() {
			return path
		}
	}
	t.Skipf("there is no %s: name one by %s, or where it is installed by KUROGO_TEST_CLI_DIR", name, variable)
	return ""
}

// A Theatre is a real CLI before a scripted model.
type Theatre struct {
	T      *testing.T
	Model  *modeltest.Server
	Driver messages.Driver
	Spec   messages.Spec
}

// Once makes its lives those of one turn.
func (th *Theatre) Once() *Theatre {
	th.Spec.OneShot, th.Spec.Tools = true, nil
	return th
}

// Begin begins a life, up to when it is ready.
func (th *Theatre) Begin() *Play {
	th.T.Helper()
	p := Begin(th.T, th.Driver, th.Spec)
	p.Until(messages.DriverReady)
	return p
}

// Resume begins another life at the end of a turn.
func (th *Theatre) Resume(end messages.TurnEnd) *Play {
	th.T.Helper()
	th.Spec.Session, th.Spec.Border = end.Session, end.Border
	return th.Begin()
}

// LastRequest is what the model was asked last.
func (th *Theatre) LastRequest() modeltest.Request {
	th.T.Helper()
	all := th.Model.Requests()
	if len(all) == 0 {
		th.T.Fatal("the model was never asked")
	}
	return all[len(all)-1]
}

// Asked waits until the model is asked with these words.
func (th *Theatre) Asked(words string) {
	th.T.Helper()
	if _, ok := th.Model.Await(th.T.Context().Done(), modeltest.Who(words)); !ok {
		th.T.Fatal("the model was never asked")
	}
}

// Transcripts are the files in which a driver keeps what a real CLI said.
func Transcripts(tb testing.TB) []string {
	tb.Helper()
	files, err := filepath.Glob("testdata/transcripts/*.ndjson")
	if err != nil || len(files) == 0 {
		tb.Fatal("there are no transcripts", err)
	}
	return files
}
