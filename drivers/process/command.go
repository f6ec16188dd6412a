package process

import "time"

// Marker is the environment variable that names the life a process belongs to.
const Marker = "KUROGO_LIFE"

const (
	defaultMaxLine = 8 << 20
	defaultGrace   = 5 * time.Second
)

// A Soft says how a process is asked to end.
type Soft int

// The soft ends. Which one a CLI heeds, and which one makes it lose its shells,
// differs from CLI to CLI.
const (
	CloseInput Soft = iota // end of its stdin
	Interrupt              // SIGINT to its group
	Terminate              // SIGTERM to its group
)

// A Command is everything that one life needs to begin.
type Command struct {
	Path    string // looked up in PATH
	Args    []string
	Env     []string // complete: Environ makes it
	Dir     string
	Life    string // <store>:<epoch>:<agent>; empty: no marker
	MaxLine int    // bytes of one line of output; 0 is 8 MiB
	Grace   time.Duration
	Soft    Soft
}

func (c Command) maxLine() int {
	if c.MaxLine > 0 {
		return c.MaxLine
	}
	return defaultMaxLine
}

func (c Command) grace() time.Duration {
	if c.Grace > 0 {
		return c.Grace
	}
	return defaultGrace
}
