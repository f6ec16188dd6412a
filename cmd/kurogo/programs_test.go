package main_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// programs are the programs that the test binary plays where a story needs one of
// its own: the first argument says which.
var programs = map[string]func(args []string){
	"breeder": breeder,
	"orphan":  orphan,
	"spy":     spy,
}

// breeder answers with all that it was told, and leaves a child in a session of
// its own behind, which has one too.
func breeder([]string) {
	heard, _ := io.ReadAll(os.Stdin)
	bear("1")
	fmt.Printf("bred, and heard:\n%s\n", heard)
}

// orphan hears nothing of what its parents are told.
func orphan(args []string) {
	if args[0] != "0" {
		bear("0")
	}
	<-time.After(time.Hour)
}

func bear(children string) {
	c := exec.Command(os.Args[0], "orphan", children)
	c.SysProcAttr, c.Stdout = &syscall.SysProcAttr{Setsid: true}, os.Stdout
	if err := c.Start(); err != nil {
		panic(err)
	}
}

// spy speaks as the Cursor CLI does, and tells how it was introduced to us: its
// MCP entry, with the token that only it should know.
func spy(args []string) {
	switch {
	case slices.Contains(args, "--version"):
		fmt.Println("2026.01.28-spy")
		return
	case slices.Contains(args, "models"):
		os.Exit(1) // it lists none
	}
	entry, err := os.ReadFile(filepath.Join(os.Getenv("CURSOR_CONFIG_DIR"), "mcp.json"))
	if err != nil {
		panic(err)
	}
	line, _ := json.Marshal(map[string]any{
		"type": "assistant", "session_id": "s-1",
		"message": map[string]any{"role": "assistant", "content": []any{map[string]string{"type": "text", "text": string(entry)}}},
	})
	fmt.Println(string(line))
	<-time.After(time.Hour)
}
