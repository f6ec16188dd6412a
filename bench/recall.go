package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"kurogo/index"
	"kurogo/messages"
)

const (
	docQueries   = 2000
	plainQueries = 60 // of them, because each takes the better part of a second
	docWords     = 4  // a shorter sentence asks for nothing
	recallLimit  = 0.50
)

// A question is the first sentence of a function's comment without its name, and
// where that function stands.
type question struct {
	text        string
	path        string
	first, last int
}

// recall asks the Go distribution's source for functions by what is said
// of them. What is said is struck out of the source first.
func (b *bench) recall(ctx context.Context) error {
	dir, err := b.subdir("quality")
	if err != nil {
		return err
	}
	root := filepath.Join(dir, "src")
	questions, err := struckOut(filepath.Join(build.Default.GOROOT, "src"), root)
	if err != nil {
		return err
	}
	x, err := index.Open(ctx, filepath.Join(dir, "index.db"), index.Options{})
	if err != nil {
		return err
	}
	defer x.Close()
	if _, err := x.Sync(ctx, root); err != nil {
		return err
	}
	words, err := ask(ctx, x, questions)
	if err != nil {
		return err
	}
	began := time.Now()
	if _, err := x.Learn(ctx); err != nil {
		return err
	}
	b.table.fact("learning there", fmt.Sprintf("%.1f s", time.Since(began).Seconds()))
	got, err := ask(ctx, x, questions)
	if err != nil {
		return err
	}
	b.table.fact("recall@10 before learning", words.String())
	sample := questions[:min(len(questions), plainQueries)]
	plain, err := b.plainFTS(ctx, x, dir, sample)
	if err != nil {
		return err
	}
	q := quantilesOf(got.took)
	b.table.fact("index of GOROOT, struck out", fmt.Sprintf("%d files, %d chunks", x.Status().Files, x.Status().Chunks))
	b.table.fact("search there", fmt.Sprintf("p50 %s, p99 %s", millis(q.at(.5)), millis(q.at(.99))))
	b.table.judge("recall@10 of functions by their comment", fmt.Sprintf("%s (plain FTS5 %.3f of %d)", got, plain, len(sample)),
		fmt.Sprintf("≥ %.2f", recallLimit), got.recall() >= recallLimit && len(questions) >= 1000)
	return nil
}

// The answers to questions: how many had the function among the first ten
// passages, how many within so many lines, and how early.
type answers struct {
	asked, found, soon int
	ranks              float64
	took               []time.Duration
}

// soonLines are as many as an agent likes to be shown.
const soonLines = 200

func ask(ctx context.Context, x *index.Index, questions []question) (got answers, err error) {
	got.asked = len(questions)
	for _, q := range questions {
		began := time.Now()
		answer, err := x.Search(ctx, messages.Search{Query: q.text})
		if err != nil {
			return got, err
		}
		got.took = append(got.took, time.Since(began))
		at := slices.IndexFunc(answer.Chunks, q.answeredBy)
		if at < 0 {
			continue
		}
		got.found++
		got.ranks += 1 / float64(at+1)
		shown := 0
		for _, c := range answer.Chunks[:at+1] {
			shown += 1 + strings.Count(c.Text, "\n")
		}
		if shown <= soonLines {
			got.soon++
		}
	}
	return got, nil
}

func (a answers) recall() float64 { return float64(a.found) / float64(max(a.asked, 1)) }

func (a answers) String() string {
	n := float64(max(a.asked, 1))
	return fmt.Sprintf("%.3f, %.3f within %d lines, MRR %.3f of %d", a.recall(), float64(a.soon)/n, soonLines, a.ranks/n, a.asked)
}

func (q *question) answeredBy(c messages.Chunk) bool {
	return slices.ContainsFunc(append(c.Also, c.Path+"#"+c.Span), func(place string) bool {
		path, span, _ := strings.Cut(place, "#")
		first, last := linesOf(span)
		return path == q.path && first <= q.last && last >= q.first
	})
}

func linesOf(span string) (first, last int) {
	_, _ = fmt.Sscanf(span, "L%d-L%d", &first, &last)
	return first, last
}

// struckOut copies the Go files of a tree without their comments, and returns a
// sample of those of functions. No line moves.
func struckOut(from, to string) (questions []question, err error) {
	err = filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "vendor": // others' code
			return fs.SkipDir
		case entry.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path) //nolint:gosec // the distribution's own source, or our copy of it
		if err != nil {
			return err
		}
		text, asked := strike(filepath.ToSlash(name), text)
		questions = append(questions, asked...)
		target := filepath.Join(to, name)
		return errors.Join(os.MkdirAll(filepath.Dir(target), 0o750), os.WriteFile(target, text, 0o600))
	})
	random := rand.New(rand.NewPCG(1, 2))
	random.Shuffle(len(questions), func(i, j int) { questions[i], questions[j] = questions[j], questions[i] })
	return questions[:min(len(questions), docQueries)], err
}

func strike(name string, text []byte) ([]byte, []question) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return text, nil
	}
	file := set.File(f.Pos())
	line := func(p token.Pos) int { return file.PositionFor(p, false).Line }
	text = slices.Clone(text)
	for _, group := range f.Comments {
		for i := file.Offset(group.Pos()); i < file.Offset(group.End()); i++ {
			if text[i] != '\n' {
				text[i] = ' '
			}
		}
	}
	var out []question
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Doc == nil {
			continue
		}
		said, _, _ := strings.Cut(fn.Doc.Text(), "\n\n")
		said, _, _ = strings.Cut(strings.ReplaceAll(said, "\n", " ")+" ", ". ")
		said = strings.Join(slices.DeleteFunc(strings.Fields(said), func(w string) bool { return strings.Trim(w, ".,:;()[]`\"'") == fn.Name.Name }), " ")
		if fn.Body != nil && !strings.HasSuffix(name, "_test.go") && !strings.Contains(name, "testdata/") && len(strings.Fields(said)) >= docWords {
			out = append(out, question{said, name, line(fn.Pos()), line(fn.End())})
		}
	}
	return text, out
}

// plainFTS is the same with what SQLite brings: its own words, its own ranking.
func (b *bench) plainFTS(ctx context.Context, x *index.Index, dir string, questions []question) (recall float64, err error) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "fts.db")+"?_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)")
	if err != nil {
		return 0, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, "CREATE VIRTUAL TABLE fts USING fts5(place UNINDEXED, path, symbol, body)"); err != nil {
		return 0, err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	for c, err := range x.Passages(ctx) {
		if err == nil {
			_, err = tx.ExecContext(ctx, "INSERT INTO fts VALUES (?, ?, ?, ?)", c.Path+"#"+c.Span, c.Path, c.Symbol, c.Text)
		}
		if err != nil {
			return 0, errors.Join(err, tx.Rollback())
		}
	}
	if err := tx.Commit(); err != nil {
		return 0, err
	}
	found := 0
	for _, q := range questions {
		hit, err := askFTS(ctx, db, &q)
		if err != nil {
			return 0, err
		}
		if hit {
			found++
		}
	}
	return float64(found) / float64(len(questions)), nil
}

func askFTS(ctx context.Context, db *sql.DB, q *question) (found bool, err error) {
	var terms []string
	for _, w := range strings.FieldsFunc(q.text, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r < 0x80
	}) {
		terms = append(terms, strconv.Quote(w))
	}
	rows, err := db.QueryContext(ctx, "SELECT place FROM fts WHERE fts MATCH ? ORDER BY rank LIMIT 10", strings.Join(terms, " OR "))
	if err != nil {
		return false, err
	}
	defer rows.Close()
	for rows.Next() {
		var c messages.Chunk
		var place string
		if err := rows.Scan(&place); err != nil {
			return false, err
		}
		c.Path, c.Span, _ = strings.Cut(place, "#")
		found = found || q.answeredBy(c)
	}
	return found, rows.Err()
}
