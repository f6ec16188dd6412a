package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"kurogo/actors"
	"kurogo/drivers/process"
	"kurogo/files"
	"kurogo/messages"
)

const (
	fileRounds     = 5
	fileReadsEach  = 20_000 // in one round
	fileReadsLimit = 15_000 // a second
	fileWritesEach = 300    // in one round, of each rival
	fileWriteLimit = 0.6    // of what the bare system calls do
	fileCalls      = 2000   // of one MCP rival in one round, with 32 in flight
	fileAlone      = 300    // with one
	fileMCPLimit   = 3.0    // times npm's server
	fileBytes      = 4 << 10
)

// What npm's server is, and the tool of it that reads.
const (
	filesystemPackage = "@modelcontextprotocol/server-filesystem"
	filesystemVersion = "2026.8.31"
	filesystemTool    = "read_text_file"
)

// fileText is a source file of the usual size.
func fileText() string {
	line := "the quick brown fox jumps over the lazy dog, 黒衣\n"
	return strings.Repeat(line, fileBytes/len(line))
}

// A bureau is a workspace with its desk and the journal behind it.
type bureau struct {
	*house
	*files.Workspace
	desk *actors.FilesDesk
	dir  string
}

func (b *bench) openBureau(ctx context.Context) (*bureau, error) {
	dir, err := b.subdir("files")
	if err != nil {
		return nil, err
	}
	root := filepath.Join(dir, "root")
	if err := os.MkdirAll(filepath.Join(root, "src", "pkg"), 0o750); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(root, "src", "pkg", "main.py"), []byte(fileText()), 0o600); err != nil {
		return nil, err
	}
	h, err := openStore(ctx, dir)
	if err != nil {
		return nil, err
	}
	w, err := files.Open(root, files.Options{})
	if err != nil {
		return nil, err
	}
	o := &bureau{house: h, Workspace: w, dir: root}
	o.desk = actors.NewFilesDesk(actors.FilesDesk{
		Of:      func(context.Context, messages.Caller) (actors.Workspace, error) { return w, nil },
		Archive: h.store, Clock: actors.SystemClock{}, NewID: messages.NewID,
	}, h.store)
	return o, nil
}

func (o *bureau) end() error {
	o.desk.Close()
	if err := o.Close(); err != nil {
		return err
	}
	return o.store.Close()
}

// fileReads reads a file of three steps through the gateway: policy, guard, hash,
// and a row of the audit trail for each.
func (b *bench) fileReads(ctx context.Context) error {
	o, err := b.openBureau(ctx)
	if err != nil {
		return err
	}
	var rates, bare []float64
	for range fileRounds {
		took, _, err := volley(inFlight, fileReadsEach, func(int, int) error {
			_, _, err := o.desk.Ask(ctx, messages.ReadFile{Path: "src/pkg/main.py"})
			return err
		})
		if err != nil {
			return err
		}
		rates = append(rates, perSecond(fileReadsEach, took))
		began := time.Now()
		for range fileReadsEach {
			if _, err := os.ReadFile(filepath.Join(o.dir, "src", "pkg", "main.py")); err != nil {
				return err
			}
		}
		bare = append(bare, perSecond(fileReadsEach, time.Since(began)))
	}
	b.table.judge("gateway read of 4 KiB, audited", fmt.Sprintf("%s (os.ReadFile %s)", rate(median(rates)), rate(median(bare))), "≥ "+rate(fileReadsLimit), median(rates) >= fileReadsLimit)
	verdict, err := o.store.VerifyAudit(ctx, messages.VerifyAudit{})
	if err == nil && (len(verdict.Faults) > 0 || verdict.Rows == 0) {
		err = fmt.Errorf("the audit trail is %+v", verdict)
	}
	if err != nil {
		return err
	}
	return o.end()
}

// fileWrites makes files durably, in turns with the bare system calls: create,
// write, fsync, rename.
func (b *bench) fileWrites(ctx context.Context) error {
	o, err := b.openBureau(ctx)
	if err != nil {
		return err
	}
	text := fileText()
	var shares, audited, ours, theirs []float64
	for round := range fileRounds {
		name := func(who string, n int) string { return who + strconv.Itoa(round) + "-" + strconv.Itoa(n) + ".md" }
		began := time.Now()
		for n := range fileWritesEach {
			if err := bareWrite(o.dir, name("bare", n), text); err != nil {
				return err
			}
		}
		bare := perSecond(fileWritesEach, time.Since(began))
		began = time.Now()
		for n := range fileWritesEach {
			if _, err := o.Write(ctx, messages.WriteFile{Path: name("ours", n), Content: text, Mode: messages.WriteCreate}); err != nil {
				return err
			}
		}
		own := perSecond(fileWritesEach, time.Since(began))
		took, _, err := volley(8, fileWritesEach, func(_, n int) error {
			_, _, err := o.desk.Ask(ctx, messages.WriteFile{Path: name("desk", n), Content: text, Mode: messages.WriteCreate})
			return err
		})
		if err != nil {
			return err
		}
		shares, ours, theirs = append(shares, own/bare), append(ours, own), append(theirs, bare)
		audited = append(audited, perSecond(fileWritesEach, took))
	}
	share := median(shares)
	b.table.judge("gateway write of 4 KiB, durable", fmt.Sprintf("%s = %.0f %% of bare create+fsync+rename's %s", rate(median(ours)), 100*share, rate(median(theirs))),
		fmt.Sprintf("≥ %.0f %%", 100*fileWriteLimit), share >= fileWriteLimit)
	b.table.fact("gateway write, audited, 8 in flight", rate(median(audited)))
	return o.end()
}

func bareWrite(dir, name, text string) error {
	f, err := os.CreateTemp(dir, "bare-")
	if err != nil {
		return err
	}
	if _, err := f.WriteString(text); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), filepath.Join(dir, name))
}

// fileMCP reads one file over a pipe, of a `kurogo mcp` that owns the project
// itself and of npm's server, which audits nothing.
func (b *bench) fileMCP(ctx context.Context) error {
	stage, err := b.mcpStage()
	if err != nil {
		return err
	}
	file := filepath.Join(stage.dir, "project", "main.md")
	if err := os.WriteFile(file, []byte(fileText()), 0o600); err != nil {
		return err
	}
	theirs, err := onFilesystem(ctx, filepath.Dir(file))
	if err != nil {
		b.table.fact("read_file, stdio", "not compared: "+err.Error())
		return nil
	}
	rivals := []rival{{name: "kurogo mcp --standalone", tool: "read_file", arguments: `{"path":"main.md"}`}, {name: filesystemPackage, tool: filesystemTool, arguments: fmt.Sprintf(`{"path":%q}`, file)}}
	for i, c := range []process.Command{stage.command("mcp", "--standalone"), theirs} {
		d, p, err := onPipe(ctx, c)
		if err != nil {
			return err
		}
		defer d.close()
		if rivals[i].caller, err = greet(ctx, d); err != nil {
			return fmt.Errorf("%s: %w", rivals[i].name, err)
		}
		rivals[i].pids = []int{p.Pid()}
	}
	for _, flight := range []struct{ voices, calls int }{{1, fileAlone}, {inFlight, fileCalls}} {
		tallies, err := contest(ctx, rivals, flight.voices, flight.calls)
		if err != nil {
			return err
		}
		share := tallies[0].share(tallies[1])
		b.table.judge(fmt.Sprintf("read_file, stdio, %d in flight", flight.voices), fmt.Sprintf("%s = %.1f × npm's %s", tallies[0], share, tallies[1]), fmt.Sprintf("≥ %.0f ×", fileMCPLimit), share >= fileMCPLimit)
	}
	b.table.fact("read_file over stdio, resident", residents(rivals))
	return nil
}

// onFilesystem is npm's server for a directory, installed beside the SDK.
func onFilesystem(ctx context.Context, dir string) (none process.Command, err error) {
	home, node, err := installSDK(ctx)
	if err != nil {
		return none, err
	}
	home = filepath.Join(filepath.Dir(home), "filesystem")
	script := filepath.Join(home, "node_modules", filesystemPackage, "dist", "index.js")
	about, _ := os.ReadFile(filepath.Join(home, "node_modules", filesystemPackage, "package.json")) // none says nothing
	if !strings.Contains(string(about), `"version": "`+filesystemVersion+`"`) {
		npm, err := process.Look("npm")
		if err != nil {
			return none, err
		}
		if err := os.MkdirAll(home, 0o750); err != nil {
			return none, err
		}
		ctx, cancel := context.WithTimeout(ctx, installing)
		defer cancel()
		_, stderr, code, err := process.Exec{}.Run(ctx, home, os.Environ(), npm, "install", "--prefix", home, "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error", filesystemPackage+"@"+filesystemVersion)
		if err != nil || code != 0 {
			return none, fmt.Errorf("npm cannot install %s: %.300s %w", filesystemPackage, stderr, err)
		}
	}
	return process.Command{Path: node, Args: []string{script, dir}, Env: process.Environ(os.Environ(), nil), Dir: home, Grace: mcpGrace}, nil
}
