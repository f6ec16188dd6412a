package main_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// patience is how long a story waits for what must come. Nothing is measured.
const patience = 40 * time.Second

// eventually asks until the answer is yes.
func eventually(t *testing.T, what string, yes func() bool) {
	t.Helper()
	if !soon(yes) {
		t.Fatalf("waited in vain: %s", what)
	}
}

// soon reports whether the answer is yes before patience ends.
func soon(yes func() bool) bool {
	late := time.After(patience)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !yes() {
		select {
		case <-tick.C:
		case <-late:
			return yes()
		}
	}
	return true
}

// traces lists the living processes whose environment says HOME=home: every
// process of a story, however far down, and nobody else's.
func traces(home string) []string {
	var out []string
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		env, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(append([]byte{0}, env...), []byte("\x00HOME="+home+"\x00")) {
			continue
		}
		command, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
		if len(command) > 0 {
			out = append(out, fmt.Sprintf("%s: %s", filepath.Base(filepath.Dir(file)), strings.ReplaceAll(string(command), "\x00", " ")))
		}
	}
	return out
}
