package config

import "strings"

// Workspace is what the file gateway opens, and where agents may work.
type Workspace struct {
	Root        string   `toml:"root"`  // relative to the project, not to the file
	Roots       []string `toml:"roots"` // where agents may work besides the project; relative to it
	Extensions  []string `toml:"extensions"`
	MaxBytes    int      `toml:"max_bytes"` // of one file
	AllowDelete bool     `toml:"allow_delete"`
	Kept        []string `toml:"kept"`       // names that the gateway never writes, wherever they stand
	TaskFiles   int      `toml:"task_files"` // that one task may write
	TaskBytes   int      `toml:"task_bytes"` // that one task may write, in all
}

func defaultWorkspace() Workspace {
	return Workspace{
		Root:       ".",
		Roots:      []string{},
		Extensions: defaultExtensions(),
		MaxBytes:   512 << 10,
		Kept:       []string{".git", ".cursor", ".claude", ".vscode", ".envrc", fileName},
		TaskFiles:  1000,
		TaskBytes:  64 << 20,
	}
}

// defaultExtensions are those of the EverContext document.
func defaultExtensions() []string {
	return []string{".py", ".md", ".txt", ".json", ".yaml", ".yml"}
}

func (l *loading) checkWorkspace(w Workspace) {
	l.atLeastOne("workspace.max_bytes", w.MaxBytes)
	l.atLeastOne("workspace.task_files", w.TaskFiles)
	l.atLeastOne("workspace.task_bytes", w.TaskBytes)
	if w.Root == "" {
		l.report(keyPath("workspace.root"), `write "." for the project`, "no directory is named")
	}
	for i, dir := range w.Roots {
		if dir == "" || dir[0] == '~' {
			l.report(keyPath("workspace.roots").at(i), "write it in full, or relative to the project", "%q is no directory", dir)
		}
	}
	for i, name := range w.Kept {
		if name == "" || name == "." || name == ".." || strings.ContainsAny(name, `/\`) {
			l.report(keyPath("workspace.kept").at(i), `write one name without slashes, such as ".git"`, "%q is no name of a file or directory", name)
		}
	}
	l.checkExtensions("workspace.extensions", w.Extensions)
}

func (l *loading) checkExtensions(key string, extensions []string) {
	for i, ext := range extensions {
		if len(ext) < 2 || ext[0] != '.' || strings.ContainsAny(ext, `/\ `) {
			l.report(keyPath(key).at(i), `write it with its dot, such as ".md"`, "%q is no extension", ext)
		}
	}
}
