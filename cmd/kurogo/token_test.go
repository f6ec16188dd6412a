package main_test

import (
	"os/exec"
	"testing"
)

// Ten who ask at the same time, before there is a token, hear of one.
func TestATokenIsMadeOnce(t *testing.T) {
	t.Parallel()
	dir, state := t.TempDir(), t.TempDir()
	heard := make(chan string)
	const many = 10
	for range many {
		go func() {
			c := exec.Command(binary, "token")
			c.Dir, c.Env = dir, []string{"HOME=" + state, "KUROGO_STATE_DIR=" + state}
			out, err := c.CombinedOutput()
			if err != nil {
				out = append(out, err.Error()...)
			}
			heard <- string(out)
		}()
	}
	tokens := map[string]int{}
	for range many {
		tokens[<-heard]++
	}
	if len(tokens) != 1 {
		t.Errorf("there are %d tokens: %v", len(tokens), tokens)
	}
}
