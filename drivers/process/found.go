package process

// A Found is a process that carries a marker, or that descends from one that
// does; then Life is empty.
type Found struct {
	Pid     int
	Command string
	Life    string
}
