package config

import (
	"path/filepath"
	"slices"
)

// A language is known by the extensions and names of its files, and brings those
// extensions with it that its people write by hand.
type language struct {
	signs []string // extensions, with their dots, and whole names
	bring []string
}

var languages = []language{
	{[]string{".go", "go.mod"}, []string{".go", ".mod"}},
	{[]string{".py", "pyproject.toml", "requirements.txt"}, []string{".py", ".pyi", ".toml", ".cfg"}},
	{[]string{".ts", ".tsx", "tsconfig.json"}, []string{".ts", ".tsx", ".mts", ".js", ".css", ".html"}},
	{[]string{".js", ".jsx", ".mjs", "package.json"}, []string{".js", ".jsx", ".mjs", ".cjs", ".css", ".html"}},
	{[]string{".vue"}, []string{".vue"}},
	{[]string{".svelte"}, []string{".svelte"}},
	{[]string{".html", ".css", ".scss"}, []string{".html", ".css", ".scss"}},
	{[]string{".rs", "Cargo.toml"}, []string{".rs", ".toml"}},
	{[]string{".c", ".h"}, []string{".c", ".h"}},
	{[]string{".cc", ".cpp", ".cxx", ".hpp", "CMakeLists.txt"}, []string{".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".cmake"}},
	{[]string{".java", "pom.xml"}, []string{".java", ".xml", ".properties", ".gradle"}},
	{[]string{".kt", ".kts"}, []string{".kt", ".kts", ".gradle"}},
	{[]string{".scala", "build.sbt"}, []string{".scala", ".sbt"}},
	{[]string{".cs", ".csproj", ".sln"}, []string{".cs", ".csproj", ".sln"}},
	{[]string{".swift", "Package.swift"}, []string{".swift"}},
	{[]string{".rb", "Gemfile"}, []string{".rb", ".erb"}},
	{[]string{".php", "composer.json"}, []string{".php"}},
	{[]string{".ex", ".exs", "mix.exs"}, []string{".ex", ".exs"}},
	{[]string{".erl"}, []string{".erl", ".hrl"}},
	{[]string{".hs", ".cabal"}, []string{".hs", ".cabal"}},
	{[]string{".ml", ".mli"}, []string{".ml", ".mli"}},
	{[]string{".clj", ".cljs"}, []string{".clj", ".cljs", ".edn"}},
	{[]string{".dart", "pubspec.yaml"}, []string{".dart"}},
	{[]string{".lua"}, []string{".lua"}},
	{[]string{".r", ".R"}, []string{".r", ".R"}},
	{[]string{".jl"}, []string{".jl"}},
	{[]string{".zig"}, []string{".zig"}},
	{[]string{".sh", ".bash"}, []string{".sh", ".bash"}},
	{[]string{".sql"}, []string{".sql"}},
	{[]string{".proto"}, []string{".proto"}},
	{[]string{".tf"}, []string{".tf"}},
	{[]string{".toml"}, []string{".toml"}},
}

// LanguageExtensions are those that a workspace needs beside its defaults, for the
// languages of files with these names or paths: sorted, each once.
func LanguageExtensions(names []string) []string {
	signs := map[string]bool{}
	for _, name := range names {
		base := filepath.Base(name)
		signs[base], signs[filepath.Ext(base)] = true, true
	}
	var out []string
	for _, l := range languages {
		if slices.ContainsFunc(l.signs, func(sign string) bool { return signs[sign] }) {
			out = append(out, l.bring...)
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return slices.DeleteFunc(out, func(ext string) bool { return slices.Contains(defaultExtensions(), ext) })
}
