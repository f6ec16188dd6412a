package kurogo_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The image is built with the Go that go.mod names, holds nothing but us, runs as
// nobody in particular, and is reached from this machine only.
func TestTheContainerIsOurs(t *testing.T) {
	texts := map[string]string{}
	for _, file := range []string{"go.mod", "Dockerfile", "compose.yaml"} {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[file] = string(b)
	}
	version := func(file, pattern string) string {
		m := regexp.MustCompile(pattern).FindStringSubmatch(texts[file])
		if m == nil {
			t.Fatalf("%s names no version of Go", file)
		}
		return m[1]
	}
	want := version("go.mod", `(?m)^go (\d+\.\d+)`)
	if got := version("Dockerfile", `(?m)^FROM golang:(\d+\.\d+)(?:-\w+)? AS build$`); got != want {
		t.Errorf("the image is built with Go %s, go.mod says %s", got, want)
	}
	_, last, ok := strings.Cut(texts["Dockerfile"], "\nFROM scratch\n")
	if !ok || strings.Contains(last, "\nFROM ") {
		t.Error("the image is not from scratch")
	}
	for file, lines := range map[string][]string{
		"Dockerfile":   {"CGO_ENABLED=0", "\nUSER nonroot\n", "\nEXPOSE 9696\n"},
		"compose.yaml": {`"127.0.0.1:9696:9696"`, "KUROGO_SERVER_AUTH: token"},
	} {
		for _, line := range lines {
			if !strings.Contains(texts[file], line) {
				t.Errorf("%s does not say %q", file, strings.TrimSpace(line))
			}
		}
	}
	if n := strings.Count(texts["compose.yaml"], ":9696\""); n != 1 {
		t.Errorf("%d ports are published", n)
	}
}
