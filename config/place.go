package config

import (
	"errors"
	"os"
	"path/filepath"

	"kurogo/messages"
)

// Place is where an agent works that is asked to work in dir, with every link
// resolved: in the project, or below one of the roots. "" is the project, and a
// relative dir is within it. Refusals: invalid.
func (w Workspace) Place(project, dir string) (string, error) {
	place, err := resolve(project, dir)
	if err != nil {
		return "", messages.Invalid("workingDirectory", "%v", err).Try("name a directory that exists")
	}
	for _, root := range append([]string{"."}, w.Roots...) {
		root, err := resolve(project, root)
		if err != nil {
			continue // a root that is not there has nothing in it
		}
		if rel, err := filepath.Rel(root, place); err == nil && filepath.IsLocal(rel) {
			return place, nil
		}
	}
	return "", messages.Invalid("workingDirectory", "%s is outside of the project %s", place, project).
		Try("work in the project, or add the directory to workspace.roots in kurogo.toml")
}

func resolve(project, dir string) (string, error) {
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(project, dir)
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = errors.New(dir + " is no directory")
	}
	return dir, err
}
