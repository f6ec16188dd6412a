package main_test

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// On a terminal the demo shows its stage, and goes on doing so until Ctrl-C; it
// tells then that everything was to be seen.
func TestDemoStays(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	c := exec.Command(binary, "demo", "--once=false", "--lang", "en")
	c.Dir, c.Env = home, []string{"HOME=" + home, "PATH=", "TMPDIR=" + home, "LANG=C.UTF-8"}
	var out bytes.Buffer
	c.Stdout = &out
	told, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(told)
	next := func(what string) string {
		for lines.Scan() {
			if strings.Contains(lines.Text(), what) {
				return lines.Text()
			}
		}
		t.Fatalf("nothing told %q", what)
		return ""
	}
	address := strings.Fields(strings.TrimPrefix(next("the stage: "), "the stage: "))[0]
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar, Timeout: time.Minute}
	read := func(path string) string {
		answer, err := browser.Get(path)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, _ := io.ReadAll(answer.Body)
		return string(body)
	}
	if page := read(address); !strings.Contains(page, "<title>Kurogo</title>") {
		t.Errorf("%s shows %.200s", address, page)
	}
	base, _, _ := strings.Cut(address, "/login?")
	next("The play is over")
	for path, want := range map[string]string{"/api/tasks?of=crew": `"completed"`, "/api/groups": "beside the crew", "/api/agents": `"impl-code"`} {
		if got := read(base + path); !strings.Contains(got, want) {
			t.Errorf("%s has no %s: %.300s", path, want, got)
		}
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Errorf("it ended with %v:\n%s", err, out.String())
	}
	if strings.Count(out.String(), "✓") != 7 || strings.Contains(out.String(), "✗") {
		t.Errorf("the scenes: %s", out.String())
	}
}
