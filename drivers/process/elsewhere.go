//go:build !linux

package process

// Without /proc nobody can be found by descent or marker: what is left is the
// process group, which Stop signals.

type member struct{ pid int }

type table struct{}

func survey() table { return table{} }

func identify(pid int) member { return member{pid: pid} }

func (table) members(member, string, []member) []member { return nil }

func sweepLife(member, string, []member) int { return 0 }

func awaitExit(int) bool { return false }

// Adopt does nothing here: only Linux lets a program adopt orphans.
func Adopt() error { return nil }

// Find finds nobody here: there is no /proc to look at.
func Find(string) []Found { return nil }

// Sweep kills nobody here: there is no /proc to look at.
func Sweep(string, func(string) bool) ([]Found, error) { return nil, nil }
