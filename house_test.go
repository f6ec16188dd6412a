package kurogo_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

const module = "kurogo/"

// floors lists the rooms from the ground up. A room may use any floor below its
// own and no room beside it.
var floors = [][]string{
	{"messages"},
	{"actors", "config", "drivers", "stores", "files", "index", "evaluate", "transport", "ui"},
	{"supervisors"},
	{"cmd", "bench"}, // bench measures the house; it imports everything
}

// A door says which rooms may use something from outside, and why no others.
type door struct {
	rooms []string // a room, or a folder of one
	why   string
}

// doors lists everything from outside that has one. A module that is not here
// may be used by nobody: who needs one writes the reason down first.
var doors = map[string]door{
	"os": {
		[]string{"config", "drivers", "stores", "files", "index", "transport/local", "cmd", "bench"},
		"everybody else gets what it needs handed in; transport/local has the socket's file and the lock's",
	},
	"os/exec":      {[]string{"drivers/process"}, "one package starts processes, so one package can end them"},
	"database/sql": {[]string{"stores", "index", "bench"}, "SQL stays where its schema is; bench writes the same rows without us"},
	"net/http":     {[]string{"drivers", "index", "transport", "cmd", "bench"}, "the edge serves it; models and embedders are called by it; bench is a client"},
	"testing":      {[]string{"drivers/drivertest", "stores/storetest"}, "only an exam tests without being a test"},
	"C":            {nil, "the binary is built without cgo"},

	"github.com/BurntSushi/toml":               {[]string{"config"}, "one room knows the format of kurogo.toml"},
	"github.com/asynkron/protoactor-go":        {[]string{"actors", "supervisors", "transport", "cmd", "bench"}, "actors call drivers and stores, which are no actors"},
	"github.com/gorilla/websocket":             {[]string{"transport", "bench"}, "WebSockets end at the edge; bench is at the other end"},
	"github.com/klauspost/compress":            {[]string{"stores"}, "logs are compressed where they are kept"},
	"github.com/mark3labs/mcp-go":              {[]string{"transport", "bench"}, "one room speaks MCP; bench lets it speak without us"},
	"github.com/pressly/goose/v3":              {[]string{"stores"}, "migrations belong to the store"},
	"github.com/santhosh-tekuri/jsonschema/v6": {[]string{"transport/mcp", "drivers/hermes"}, "arguments are checked where they come in, and the last words of a model that has nobody else to check them; mcp-go brings it anyway"},
	"github.com/spf13/cobra":                   {[]string{"cmd"}, "verbs and flags end at the door of the house"},
	"github.com/yuin/goldmark":                 {[]string{"evaluate"}, "a document is judged by its structure, and one parser knows what CommonMark means"},
	"github.com/tetratelabs/wazero":            {[]string{"index/grammars"}, "grammars written in C run inside of it; nobody else needs to know that they are"},
	"go.uber.org/goleak":                       {[]string{"drivers/drivertest", "stores/storetest"}, "an exam also asks what was left running"},
	"golang.org/x/sys/unix":                    {[]string{"drivers/process", "cmd", "bench"}, "process trees and terminals need the system's own words"},
	"modernc.org/sqlite":                       {[]string{"stores", "index", "bench"}, "the rest of the house cannot tell which database it is"},
}

const (
	maxLines    = 500 // of any file; think again at 300
	maxDocLines = 20
)

// The house as it stands keeps its laws.
func TestHouse(t *testing.T) {
	for _, violation := range inspect(os.DirFS(".")) {
		t.Error(violation)
	}
}

// inspect walks a tree and lists what breaks a law, each as "file: what".
func inspect(tree fs.FS) []string {
	i := &inspector{tree: tree, packages: map[string]bool{}}
	err := fs.WalkDir(tree, ".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && outside(file):
			return fs.SkipDir
		case entry.IsDir():
			return nil
		case strings.HasSuffix(file, ".sql"):
			i.sql(file)
		case strings.HasSuffix(file, ".go"):
			i.source(file)
		}
		return nil
	})
	if err != nil {
		i.add(".", err.Error())
	}
	for _, dir := range slices.Sorted(maps.Keys(i.packages)) {
		i.doc(dir)
	}
	return i.found
}

// outside is what the laws do not speak of: other modules, what is no Go, and
// what the go command itself passes over.
func outside(dir string) bool {
	base := path.Base(dir)
	return dir == "tools" || dir == "ui/web" || base == "testdata" || base == "node_modules" ||
		dir != "." && strings.ContainsAny(base[:1], "._")
}

type inspector struct {
	tree     fs.FS
	packages map[string]bool // folders with source; true for a program
	found    []string
}

func (i *inspector) add(file, what string) { i.found = append(i.found, file+": "+what) }

func (i *inspector) read(file string) []byte {
	b, err := fs.ReadFile(i.tree, file)
	if err != nil {
		i.add(file, err.Error())
	}
	return b
}

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

func (i *inspector) source(file string) {
	text := i.read(file)
	if n := bytes.Count(text, []byte("\n")); n > maxLines && !generated.Match(text) {
		i.add(file, strconv.Itoa(n)+" lines: no file has more than "+strconv.Itoa(maxLines))
	}
	if strings.HasSuffix(file, "_test.go") {
		return // a test may know anybody
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ParseComments)
	if err != nil {
		i.add(file, err.Error())
		return
	}
	dir := path.Dir(file)
	i.packages[dir] = f.Name.Name == "main"
	for _, spec := range f.Imports {
		p, _ := strconv.Unquote(spec.Path.Value) // it was parsed
		i.imported(file, dir, p)
	}
	if within(dir, "stores") {
		i.clock(file, f)
	}
}

func (i *inspector) imported(file, dir, p string) {
	here, ok := floorOf(dir)
	if !ok {
		return // doc says it once for the whole folder
	}
	if rest, ours := strings.CutPrefix(p+"/", module); ours {
		there, known := floorOf(rest)
		switch {
		case roomOf(rest) == roomOf(dir):
		case !known:
			i.add(file, "uses "+p+", a room that is not in the house")
		case there == here:
			i.add(file, "uses "+p+": rooms beside each other have no door between them")
		case there > here:
			i.add(file, "uses "+p+", which is above it")
		}
		return
	}
	name, d, ok := doorTo(p)
	switch {
	case ok && !slices.ContainsFunc(d.rooms, func(room string) bool { return within(dir, room) }):
		i.add(file, "uses "+p+", and "+name+" has no door here: "+d.why)
	case !ok && strings.Contains(strings.SplitN(p, "/", 2)[0], "."):
		i.add(file, "uses "+p+", which has no door at all")
	}
}

// doorTo finds the door of an import: its own, or that of the module around it.
func doorTo(p string) (string, door, bool) {
	if d, ok := doors[p]; ok {
		return p, d, true
	}
	for name, d := range doors {
		if strings.Contains(name, ".") && within(p, name) {
			return name, d, true
		}
	}
	return "", door{}, false
}

func roomOf(dir string) string { return strings.SplitN(dir, "/", 2)[0] }

func floorOf(dir string) (int, bool) {
	n := slices.IndexFunc(floors, func(rooms []string) bool { return slices.Contains(rooms, roomOf(dir)) })
	return n, n >= 0
}

func within(dir, room string) bool { return dir == room || strings.HasPrefix(dir, room+"/") }

// doc wants every package explained, shortly: in doc.go, or in the main.go of a
// program.
func (i *inspector) doc(dir string) {
	if _, ok := floorOf(dir); !ok {
		i.add(dir, "this room is not in the house")
		return
	}
	file := path.Join(dir, "doc.go")
	if _, err := fs.Stat(i.tree, file); err != nil && i.packages[dir] {
		file = path.Join(dir, "main.go")
	}
	text, err := fs.ReadFile(i.tree, file)
	if err != nil {
		i.add(dir, "has no doc.go")
		return
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ParseComments|parser.PackageClauseOnly)
	switch {
	case err != nil:
		i.add(file, err.Error())
	case f.Doc == nil:
		i.add(file, "does not say what the package is for")
	case path.Base(file) == "doc.go" && bytes.Count(text, []byte("\n")) > maxDocLines:
		i.add(file, "is longer than "+strconv.Itoa(maxDocLines)+" lines")
	}
}

// Times are arguments: a clock inside the store would run beside the one that
// tests and schedules turn.
var (
	sqlClock   = regexp.MustCompile(`(?i)\b(strftime|unixepoch|julianday|current_(timestamp|date|time))\b|\b(date|time|datetime)\s*\(\s*'now'`)
	sqlComment = regexp.MustCompile(`(?m)--.*$`)
	goClock    = []string{"Now", "Since", "Until"}
)

func (i *inspector) sql(file string) {
	if clock := sqlClock.Find(sqlComment.ReplaceAll(i.read(file), nil)); clock != nil {
		i.add(file, "has a clock in SQL: "+string(clock))
	}
}

func (i *inspector) clock(file string, f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if of, ok := n.X.(*ast.Ident); ok && of.Name == "time" && slices.Contains(goClock, n.Sel.Name) {
				i.add(file, "looks at the clock: time."+n.Sel.Name)
			}
		case *ast.BasicLit:
			if clock := sqlClock.FindString(n.Value); n.Kind == token.STRING && clock != "" {
				i.add(file, "has a clock in SQL: "+clock)
			}
		}
		return true
	})
}

// sound is a small house that keeps every law.
func sound() fstest.MapFS {
	return fstest.MapFS{
		"messages/doc.go":             source("// Package messages is the words.\npackage messages\nimport \"time\"\nvar _ = time.Now"),
		"actors/doc.go":               source("// Package actors acts.\npackage actors\nimport (\"kurogo/messages\"; \"github.com/asynkron/protoactor-go/actor\")"),
		"actors/x_test.go":            source("package actors_test\nimport (\"kurogo/stores/sqlite\"; \"os/exec\"; \"example.com/anything\")"),
		"drivers/process/doc.go":      source("// Package process runs.\npackage process\nimport \"os/exec\""),
		"drivers/drivertest/doc.go":   source("// Package drivertest asks.\npackage drivertest\nimport (\"testing\"; \"kurogo/drivers/process\")"),
		"stores/sqlite/doc.go":        source("// Package sqlite keeps.\npackage sqlite\nimport (\"database/sql\"; \"time\"; _ \"modernc.org/sqlite\")\nvar _ = time.NewTimer"),
		"stores/sqlite/00001_all.sql": source("CREATE TABLE t (at INTEGER, current_task TEXT); -- never CURRENT_TIMESTAMP"),
		"stores/sqlite/clock_test.go": source("package sqlite_test\nimport \"time\"\nvar _ = time.Now"),
		"supervisors/doc.go":          source("// Package supervisors watches.\npackage supervisors\nimport \"kurogo/actors\""),
		"cmd/kurogo/main.go":          source("// Kurogo is the stagehand.\npackage main\nimport (\"kurogo/supervisors\"; \"os\")"),
		"house_test.go":               source("package kurogo_test"),
		"tools/main.go":               source("package main\nimport \"example.com/anything\""),
		"ui/web/x.go":                 source("package oops"),
		"actors/testdata/x.go":        source("package oops"),
		"messages/words.go":           source("// Code generated by hand. DO NOT EDIT.\n\npackage messages\n" + strings.Repeat("\n", maxLines)),
	}
}

func source(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text + "\n")} }

// A law that catches nothing is decoration: each kind of break is planted once
// in a sound house and must be found, alone and by name.
func TestPlantedViolationsAreFound(t *testing.T) {
	if found := inspect(sound()); len(found) != 0 {
		t.Fatalf("the sound house is not sound: %q", found)
	}
	for _, planted := range []struct{ file, text, want string }{
		{"messages/x.go", "package messages\nimport \"kurogo/actors\"", "uses kurogo/actors, which is above it"},
		{"messages/x.go", "package messages\nimport \"os\"", "os has no door here"},
		{"messages/x.go", "package messages\nimport \"github.com/spf13/cobra\"", "cobra has no door here"},
		{"actors/x.go", "package actors\nimport \"kurogo/drivers/process\"", "rooms beside each other"},
		{"actors/x.go", "package actors\nimport \"kurogo/supervisors\"", "which is above it"},
		{"actors/x.go", "package actors\nimport \"kurogo/cellar\"", "uses kurogo/cellar, a room that is not in the house"},
		{"actors/x.go", "package actors\nimport \"kurogo\"", "a room that is not in the house"},
		{"supervisors/x.go", "package supervisors\nimport \"kurogo/cmd/kurogo\"", "which is above it"},
		{"drivers/drivertest/x.go", "package drivertest\nimport \"kurogo/stores/sqlite\"", "rooms beside each other"},
		{"drivers/claude/doc.go", "// Package claude talks.\npackage claude\nimport \"os/exec\"", "os/exec has no door here: one package starts"},
		{"actors/x.go", "package actors\nimport \"net/http\"", "net/http has no door here"},
		{"actors/x.go", "package actors\nimport \"database/sql\"", "database/sql has no door here"},
		{"actors/x.go", "package actors\nimport \"testing\"", "only an exam"},
		{"actors/x.go", "package actors\nimport \"C\"", "without cgo"},
		{"transport/mcp/doc.go", "// Package mcp serves.\npackage mcp\nimport \"os\"", "os has no door here"},
		{"actors/x.go", "package actors\nimport \"example.com/shiny\"", "which has no door at all"},
		{"stores/x/doc.go", "// Package x is.\npackage x\nimport \"modernc.org/sqliteish\"", "which has no door at all"},
		{"cellar/doc.go", "// Package cellar hides.\npackage cellar\nimport \"os\"", "cellar: this room is not in the house"},
		{"attic.go", "package kurogo", "this room is not in the house"},
		{"index/chunk.go", "package index", "index: has no doc.go"},
		{"actors/doc.go", "package actors", "does not say what the package is for"},
		{"actors/doc.go", "// Package actors acts.\npackage actors" + strings.Repeat("\n", maxDocLines), "is longer than 20 lines"},
		{"cmd/kurogo/main.go", "package main", "does not say what the package is for"},
		{"actors/x.go", "package actors" + strings.Repeat("\n", maxLines), "501 lines"},
		{"actors/x_test.go", "package actors_test" + strings.Repeat("\n", maxLines), "501 lines"},
		{"actors/x.go", "pakcage actors", "expected 'package'"},
		{"stores/sqlite/x.go", "package sqlite\nimport \"time\"\nvar now = time.Now()", "looks at the clock: time.Now"},
		{"stores/sqlite/x.go", "package sqlite\nimport \"time\"\nvar f = time.Since", "looks at the clock: time.Since"},
		{"stores/sqlite/x.go", "package sqlite\nconst q = `UPDATE t SET at = strftime('%s')`", "clock in SQL: strftime"},
		{"stores/sqlite/00002.sql", "CREATE TABLE u (at TEXT DEFAULT CURRENT_TIMESTAMP);", "clock in SQL: CURRENT_TIMESTAMP"},
		{"index/x.sql", "SELECT datetime( 'now' );", "clock in SQL: datetime( 'now'"},
	} {
		house := sound()
		house[planted.file] = source(planted.text)
		found := inspect(house)
		if len(found) != 1 || !strings.Contains(found[0], planted.want) {
			t.Errorf("%s with %q: found %q, want one %q", planted.file, planted.text, found, planted.want)
		}
	}
}
