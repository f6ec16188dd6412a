// Package grammars parses Python, JavaScript, TypeScript, Rust, Java, C, C++ and
// Ruby far enough to say what of a text stands where, under which name.
//
// The parsers are tree-sitter's, written in C, compiled to one WebAssembly
// module that stands beside this file and is run inside the process: no cgo, no
// helper, and a parser that goes wrong harms nothing but its own memory.
// Makefile's target grammars makes the module; NOTICE.md names what is in it.
package grammars
