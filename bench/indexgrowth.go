package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kurogo/index"
)

// indexRenames renames a directory of 4,000 files in a commit.
func (b *bench) indexRenames(ctx context.Context) error {
	dir, err := b.subdir("rename")
	if err != nil {
		return err
	}
	x, root, err := b.committed(ctx, dir, renamedFiles)
	if err != nil {
		return err
	}
	defer x.Close()
	var took []time.Duration
	parsed, renamed := 0, 0
	for i := range indexRounds {
		if err := commit(ctx, root, "mv", fmt.Sprintf("d%d", i), fmt.Sprintf("d%d", i+1)); err != nil {
			return err
		}
		began := time.Now()
		stats, err := x.Sync(ctx, root)
		if err != nil {
			return err
		}
		took = append(took, time.Since(began))
		parsed += stats.Parsed
		renamed += stats.Renamed
	}
	b.table.judge(fmt.Sprintf("a directory of %d files renamed", renamedFiles), fmt.Sprintf("%s, %d parsed again", millis(median(took)), parsed),
		"≤ "+millis(indexRename)+", none parsed", median(took) <= indexRename && parsed == 0 && renamed == indexRounds*renamedFiles)
	return nil
}

// indexGrowth shows what one change costs in repositories of very different size.
func (b *bench) indexGrowth(ctx context.Context) error {
	for _, n := range []int{1000, 4000, 16_000} {
		dir, err := b.subdir("growth")
		if err != nil {
			return err
		}
		if err := b.growth(ctx, dir, n); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) growth(ctx context.Context, dir string, n int) error {
	x, root, err := b.committed(ctx, dir, n)
	if err != nil {
		return err
	}
	defer x.Close()
	var files []string
	for i := range n {
		files = append(files, synthetic(0, i))
	}
	ingested, err := edits(ctx, x, root, files, 60)
	if err != nil {
		return err
	}
	var synced, asked []time.Duration
	for i := range 9 {
		if err := write(root, synthetic(0, i), n+i); err != nil {
			return err
		}
		if err := commit(ctx, root, "add", "--all"); err != nil {
			return err
		}
		began := time.Now()
		if _, err := benchGit(ctx, root, "diff", "--raw", "HEAD"); err != nil { // what asking git alone costs
			return err
		}
		asked = append(asked, time.Since(began))
		began = time.Now()
		stats, err := x.Sync(ctx, root)
		if err != nil {
			return err
		}
		synced = append(synced, time.Since(began))
		if i > 0 && stats.Parsed != 1 {
			return fmt.Errorf("one change had %d contents parsed", stats.Parsed)
		}
	}
	b.table.fact(fmt.Sprintf("one change among %d files", n), fmt.Sprintf("ingested and found %s, a commit synced %s (git diff alone %s)", millis(ingested.at(.5)), millis(median(synced)), millis(median(asked))))
	return nil
}

// committed makes a repository of n files that are indexed.
func (b *bench) committed(ctx context.Context, dir string, n int) (x *index.Index, root string, err error) {
	root = filepath.Join(dir, "repo")
	for i := range n {
		if err := write(root, synthetic(0, i), i); err != nil {
			return nil, "", err
		}
	}
	if _, err := benchGit(ctx, root, "init", "--quiet"); err != nil {
		return nil, "", err
	}
	if err := commit(ctx, root, "add", "--all"); err != nil {
		return nil, "", err
	}
	if x, err = index.Open(ctx, filepath.Join(dir, "index.db"), index.Options{Git: benchGit}); err != nil {
		return nil, "", err
	}
	_, err = x.Sync(ctx, root)
	return x, root, err
}

func commit(ctx context.Context, root string, change ...string) error {
	_, err := benchGit(ctx, root, change...)
	if err == nil {
		_, err = benchGit(ctx, root, "commit", "--quiet", "--message=change")
	}
	return err
}

func synthetic(generation, i int) string {
	return fmt.Sprintf("d%d/p%d/file%d.go", generation, i/50, i)
}

// write makes a file of five functions that no other file has.
func write(root, name string, seed int) error {
	var text strings.Builder
	text.WriteString("// Package p is one of many.\npackage p\n")
	for i := range 5 {
		fmt.Fprintf(&text, "\n// Take%dOf%d takes the turn of number %d.\nfunc Take%dOf%d(who string) error {\n\tif who == \"\" {\n\t\treturn refuse(%d)\n\t}\n\treturn stage.Play(who, %d)\n}\n", i, seed, seed, i, seed, i, seed*5+i)
	}
	path := filepath.Join(root, name)
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o750), os.WriteFile(path, []byte(text.String()), 0o600))
}
