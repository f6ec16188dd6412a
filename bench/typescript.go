package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"kurogo/drivers/process"
)

// What the TypeScript server is made of, from npm.
const (
	sdkPackage  = "@modelcontextprotocol/sdk"
	sdkVersion  = "1.32.2"
	nodePackage = "node@22"
	nodeLeast   = 22 // of what is on the machine, or npm's is taken
	installing  = 3 * time.Minute
)

//go:embed testdata/echo.mjs
var echoScript []byte

// onTypeScript starts an echo server on the SDK that most servers are made with,
// and speaks with it over HTTP. Errors: errNoNode where it cannot be installed.
func (b *bench) onTypeScript(ctx context.Context) (*caller, *process.Process, error) {
	dir, node, err := installSDK(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errNoNode, err)
	}
	script := filepath.Join(dir, "echo.mjs") // beside its modules
	if err := os.WriteFile(script, echoScript, 0o600); err != nil {
		return nil, nil, err
	}
	p, err := process.Start(ctx, process.Command{Path: node, Args: []string{script}, Env: process.Environ(os.Environ(), nil), Dir: dir, Soft: process.Terminate, Grace: mcpGrace})
	if err != nil {
		return nil, nil, err
	}
	said := make(chan string, 1)
	go func() {
		defer close(said)
		for line := range p.Lines() {
			select {
			case said <- string(line.Text):
			default: // it has said where
			}
		}
	}()
	address, ok := <-said
	if !ok {
		return nil, nil, fmt.Errorf("the TypeScript server has ended: %s", p.Stop(ctx).Stderr)
	}
	c, err := greet(ctx, onHTTP(address, ""))
	if err != nil {
		p.Stop(ctx)
	}
	return c, p, err
}

var errNoNode = errors.New("there is no TypeScript server")

// installSDK puts the SDK, and where the machine has none that is new enough,
// node, into a directory of their own beside the CLIs of `make test-cli`.
func installSDK(ctx context.Context) (dir, node string, err error) {
	dir = os.Getenv("KUROGO_TEST_CLI_DIR")
	if dir == "" {
		dir = filepath.Join("bin", "cli")
	}
	if dir, err = filepath.Abs(filepath.Join(dir, "typescript")); err != nil {
		return "", "", err
	}
	npm, err := process.Look("npm")
	if err != nil {
		return "", "", err
	}
	packages := []string{sdkPackage + "@" + sdkVersion}
	if node, err = process.Look("node"); err != nil || nodeVersion(ctx, node) < nodeLeast {
		node, packages = filepath.Join(dir, "node_modules", ".bin", "node"), append(packages, nodePackage)
	}
	if installed(dir, node) {
		return dir, node, nil
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return "", "", err
	}
	ctx, cancel := context.WithTimeout(ctx, installing)
	defer cancel()
	argv := append([]string{npm, "install", "--prefix", dir, "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"}, packages...)
	_, stderr, code, err := process.Exec{}.Run(ctx, dir, os.Environ(), argv...)
	if err == nil && code != 0 {
		err = fmt.Errorf("npm cannot install %s: %.300s", strings.Join(packages, " and "), stderr)
	}
	return dir, node, err
}

// installed reports whether an earlier run has done it.
func installed(dir, node string) bool {
	about, _ := os.ReadFile(filepath.Join(dir, "node_modules", sdkPackage, "package.json")) // none says nothing
	_, err := process.Look(node)
	return err == nil && strings.Contains(string(about), `"version": "`+sdkVersion+`"`)
}

// nodeVersion is the first number of a node's version, 0 if it has none.
func nodeVersion(ctx context.Context, node string) int {
	stdout, _, _, err := process.Exec{}.Run(ctx, "", os.Environ(), node, "--version")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(string(stdout), "v"), ".")
	n, _ := strconv.Atoi(first)
	return n
}
