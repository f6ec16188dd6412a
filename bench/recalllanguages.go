package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"kurogo/index"
)

const (
	languageQueries = 1000
	languageFiles   = 4000
)

// recallByLanguage asks the source below -corpus for functions by what is said of them,
// language by language. What is said is struck out first.
func (b *bench) recallByLanguage(ctx context.Context) error {
	if b.corpus == "" {
		b.table.fact("recall@10 by language", "not measured: no -corpus")
		return nil
	}
	dir, err := b.subdir("languages")
	if err != nil {
		return err
	}
	asked, err := struckOutByLanguage(b.corpus, dir)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		questions := asked[name]
		random := rand.New(rand.NewPCG(1, 2))
		random.Shuffle(len(questions), func(i, j int) { questions[i], questions[j] = questions[j], questions[i] })
		questions = questions[:min(len(questions), languageQueries)]
		for _, without := range []bool{false, true} {
			if err := b.recallOf(ctx, filepath.Join(dir, name), name, questions, index.Options{NoGrammars: without}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *bench) recallOf(ctx context.Context, root, name string, questions []question, opt index.Options) error {
	dir, err := b.subdir("language")
	if err != nil {
		return err
	}
	x, err := index.Open(ctx, filepath.Join(dir, "index.db"), opt)
	if err != nil {
		return err
	}
	defer x.Close()
	began := time.Now()
	if _, err := x.Sync(ctx, root); err != nil {
		return err
	}
	took := time.Since(began)
	files := x.Status().Files
	tell := func(how string) error {
		got, err := ask(ctx, x, questions)
		b.table.fact("recall@10 of "+name+how, got.String())
		return err
	}
	if opt.NoGrammars {
		return tell(", no grammar")
	}
	b.table.fact("index of "+name, fmt.Sprintf("%d chunks of %d files, %.0f files/s", x.Status().Chunks, files, float64(files)/took.Seconds()))
	if err := tell(", not learned"); err != nil {
		return err
	}
	if _, err := x.Learn(ctx); err != nil {
		return err
	}
	return tell("")
}

// struckOutByLanguage copies the files of each language below a directory of its
// own, without their comments, and returns what these ask for.
func struckOutByLanguage(from, to string) (map[string][]question, error) {
	asked, files := map[string][]question{}, map[string]int{}
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		t := tongueOf(path)
		if err != nil || !entry.Type().IsRegular() || t == nil || files[t.name] == languageFiles {
			return err
		}
		info, err := entry.Info()
		if err != nil || info.Size() > copiedMost {
			return err
		}
		text, err := os.ReadFile(path) //nolint:gosec // what the caller named
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		files[t.name]++
		text, questions := t.strike(filepath.ToSlash(name), text)
		asked[t.name] = append(asked[t.name], questions...)
		target := filepath.Join(to, t.name, name)
		return errors.Join(os.MkdirAll(filepath.Dir(target), 0o750), os.WriteFile(target, text, 0o600))
	})
	return asked, err
}
