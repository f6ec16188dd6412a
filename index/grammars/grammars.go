package grammars

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

//go:embed grammars.wasm.gz
var packed []byte

const (
	mostPages = 256 << 20 / (64 << 10) // of memory of one parser
	recordLen = 5 * 4                  // bytes of a node in its memory
)

// always is the context of every parser: nobody calls one off, its patience is
// bounded.
var always = context.Background()

// ErrTooHard is returned for a text that takes more time or memory than one of
// its length may.
var ErrTooHard = errors.New("the text is too hard to parse")

// A Node is a part of a text that is of interest. Offsets are bytes.
type Node struct {
	Mark       Mark
	Start, End int
	Name       string // as it is written; "" for what has none
}

// Grammars are the parsers, ready for any number of texts at once.
type Grammars struct {
	runtime wazero.Runtime
	module  wazero.CompiledModule
	cache   wazero.CompilationCache

	mu   sync.Mutex
	idle []*parser
}

// ErrNoCompiler is returned where WebAssembly could only be interpreted: cutting
// without grammars is better than waiting for that.
var ErrNoCompiler = errors.New("there is no compiler of WebAssembly for " + runtime.GOARCH)

// Open makes the parsers ready, which takes half a second the first time; later
// ones find the work in the cache directory, which is made if need be; "" is
// none.
func Open(cache string) (g *Grammars, err error) {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		return nil, ErrNoCompiler
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpack grammars: %w", err)
	}
	binary, err := io.ReadAll(unpacked)
	if err != nil {
		return nil, fmt.Errorf("unpack grammars: %w", err)
	}
	ctx := always
	g = &Grammars{}
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(mostPages)
	if cache != "" {
		if g.cache, err = wazero.NewCompilationCacheWithDir(cache); err != nil {
			return nil, fmt.Errorf("open cache of grammars: %w", err)
		}
		config = config.WithCompilationCache(g.cache)
	}
	g.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	if _, err = wasi_snapshot_preview1.Instantiate(ctx, g.runtime); err == nil {
		g.module, err = g.runtime.CompileModule(ctx, binary)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("compile grammars: %w", err), g.Close())
	}
	return g, nil
}

// Close ends all parsers.
func (g *Grammars) Close() error {
	err := g.runtime.Close(always)
	if g.cache != nil {
		err = errors.Join(err, g.cache.Close(always))
	}
	return err
}

// Rest gives back the memory of parsers that are not at work.
func (g *Grammars) Rest() error {
	g.mu.Lock()
	idle := g.idle
	g.idle = nil
	g.mu.Unlock()
	var err error
	for _, p := range idle {
		err = errors.Join(err, p.instance.Close(always))
	}
	return err
}

// Outline lists what of a text is of interest, in the order in which it begins,
// outer before inner. What has more lines than whole is looked into even if it
// is a Definition.
func (g *Grammars) Outline(l Language, text []byte, whole int) ([]Node, error) {
	ctx := always
	p, err := g.take(ctx)
	if err != nil {
		return nil, err
	}
	nodes, err := p.outline(ctx, l, text, whole)
	if err != nil { // what it has in memory is not to be trusted, or too much
		return nil, errors.Join(err, p.instance.Close(ctx))
	}
	g.mu.Lock()
	g.idle = append(g.idle, p)
	g.mu.Unlock()
	return nodes, nil
}

func (g *Grammars) take(ctx context.Context) (*parser, error) {
	g.mu.Lock()
	if n := len(g.idle); n > 0 {
		p := g.idle[n-1]
		g.idle = g.idle[:n-1]
		g.mu.Unlock()
		return p, nil
	}
	g.mu.Unlock()
	instance, err := g.runtime.InstantiateModule(ctx, g.module, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	if err != nil {
		return nil, fmt.Errorf("start parser: %w", err)
	}
	p := &parser{instance: instance, memory: instance.Memory()}
	for name, f := range map[string]*api.Function{"allocate": &p.allocate, "release": &p.release, "want": &p.want, "outline": &p.parse, "nodes": &p.nodes} {
		*f = instance.ExportedFunction(name)
	}
	return p, nil
}

// A parser is one instance of the module, for one text at a time.
type parser struct {
	instance                              api.Module
	memory                                api.Memory
	allocate, release, want, parse, nodes api.Function
	knows                                 [Ruby + 1]bool
}

// outline parses. Whatever fails leaves the parser unusable.
func (p *parser) outline(ctx context.Context, l Language, text []byte, whole int) ([]Node, error) {
	if err := p.learn(ctx, l); err != nil {
		return nil, err
	}
	at, err := p.put(ctx, text)
	if err != nil {
		return nil, err
	}
	n, err := call(ctx, p.parse, uint64(l), at, uint64(len(text)), uint64(whole), uint64(patience(len(text))))
	if err == nil {
		_, err = p.release.Call(ctx, at)
	}
	if err != nil {
		return nil, err
	}
	if int32(n) < 0 {
		return nil, ErrTooHard
	}
	first, err := call(ctx, p.nodes)
	if err != nil {
		return nil, err
	}
	records, ok := p.memory.Read(uint32(first), uint32(n)*recordLen)
	if !ok {
		return nil, errors.New("the parser's answer lies outside of its memory")
	}
	out := make([]Node, n)
	for i := range out {
		var r [5]uint32
		for j := range r {
			r[j] = binary.LittleEndian.Uint32(records[i*recordLen+4*j:])
		}
		if r[1] > r[2] || r[3] > r[4] || int(max(r[2], r[4])) > len(text) {
			return nil, errors.New("the parser's answer lies outside of the text")
		}
		out[i] = Node{Mark(r[0]), int(r[1]), int(r[2]), string(text[r[3]:r[4]])}
	}
	return out, nil
}

// patience is how often a parser may report progress, which it does every 100
// steps. None of 17,000 files of other people's code wanted more.
func patience(length int) int { return 100 + length/20 }

// learn tells a parser what is of interest in a language.
func (p *parser) learn(ctx context.Context, l Language) error {
	if p.knows[l] {
		return nil
	}
	for mark, kinds := range wanted[l] {
		for _, kind := range kinds {
			at, err := p.put(ctx, []byte(kind))
			if err != nil {
				return err
			}
			known, err := call(ctx, p.want, uint64(l), at, uint64(len(kind)), uint64(mark))
			if err == nil && known == 0 {
				err = fmt.Errorf("the grammar %d has no %s", l, kind)
			}
			if _, released := p.release.Call(ctx, at); err != nil || released != nil {
				return errors.Join(err, released)
			}
		}
	}
	p.knows[l] = true
	return nil
}

// put copies bytes into the parser's memory.
func (p *parser) put(ctx context.Context, b []byte) (at uint64, err error) {
	if at, err = call(ctx, p.allocate, uint64(len(b)+1)); err != nil {
		return 0, err
	}
	if at == 0 || !p.memory.Write(uint32(at), b) {
		return 0, ErrTooHard
	}
	return at, nil
}

func call(ctx context.Context, f api.Function, args ...uint64) (uint64, error) {
	out, err := f.Call(ctx, args...)
	if err != nil { // where it fell is the module's own affair
		what, _, _ := strings.Cut(err.Error(), "\n")
		return 0, fmt.Errorf("%w: %s", ErrTooHard, what)
	}
	return out[0], nil
}
