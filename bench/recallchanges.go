package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kurogo/index"
	"kurogo/messages"
)

const (
	changesMost  = 300 // commits that are looked back: half of them all, if that is less
	changesLeast = 40
	changedMost  = 10 // files of a commit; one of more is no question
	filesShown   = 10
)

// recallChanges asks this repository, as it was some commits ago, which files
// each commit since then would change, by what its message says.
func (b *bench) recallChanges(ctx context.Context) error {
	dir, err := b.subdir("changes")
	if err != nil {
		return err
	}
	here, err := benchGit(ctx, ".", "rev-parse", "--show-toplevel")
	var count string
	if err == nil {
		count, err = benchGit(ctx, here, "rev-list", "--count", "--first-parent", "HEAD")
	}
	commits, _ := strconv.Atoi(count)
	if err != nil || commits < changesLeast {
		b.table.fact("recall@10 of files by commit", fmt.Sprintf("not measured: this is no repository with %d commits", changesLeast))
		return nil
	}
	base := "HEAD~" + strconv.Itoa(min(commits/2, changesMost))
	root := filepath.Join(dir, "then")
	if _, err := benchGit(ctx, dir, "clone", "--quiet", "--no-checkout", here, root); err != nil {
		return err
	}
	if _, err := benchGit(ctx, root, "checkout", "--quiet", base); err != nil {
		return err
	}
	x, err := index.Open(ctx, filepath.Join(dir, "index.db"), index.Options{Git: benchGit})
	if err != nil {
		return err
	}
	defer x.Close()
	if _, err := x.Sync(ctx, root); err != nil {
		return err
	}
	log, err := benchGit(ctx, here, "log", "--first-parent", "--no-merges", "--name-status", "--no-renames", "--format=%x00%s", base+"..HEAD")
	if err != nil {
		return err
	}
	asked := map[messages.Granularity]float64{}
	n := 0
	for commit := range strings.SplitSeq(log, "\x00") {
		said, changed, _ := strings.Cut(commit, "\n")
		targets := modified(changed)
		if said == "" || len(targets) == 0 || len(targets) > changedMost {
			continue
		}
		n++
		for _, granularity := range []messages.Granularity{messages.FileGranularity, messages.SpanGranularity} {
			found, err := x.Search(ctx, messages.Search{Query: said, TopK: 100, Granularity: granularity, Intent: messages.IntentChange})
			if err != nil {
				return err
			}
			asked[granularity] += shareIn(targets, filesOf(found.Chunks))
		}
	}
	n = max(n, 1)
	b.table.fact("recall@10 of files by commit", fmt.Sprintf("%.3f of %d commits of this repository (profile span %.3f)",
		asked[messages.FileGranularity]/float64(n), n, asked[messages.SpanGranularity]/float64(n)))
	return nil
}

// modified are the files that git says a commit changed, and did not make.
func modified(status string) (files []string) {
	for line := range strings.Lines(status) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "M\t"); ok {
			files = append(files, name)
		}
	}
	return files
}

// filesOf are the first files that passages stand in.
func filesOf(chunks []messages.Chunk) (files []string) {
	for _, c := range chunks {
		if !slices.Contains(files, c.Path) && len(files) < filesShown {
			files = append(files, c.Path)
		}
	}
	return files
}

func shareIn(targets, files []string) float64 {
	n := 0
	for _, name := range targets {
		if slices.Contains(files, name) {
			n++
		}
	}
	return float64(n) / float64(len(targets))
}
