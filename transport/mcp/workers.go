package mcp

// workers do jobs beside each other, however many there are. A few stay when
// there is nothing to do: a new goroutine would first have to grow its stack,
// which costs as much as a short call.
type workers struct {
	jobs chan func()
	idle chan struct{}
	quit <-chan struct{} // closed: those who are idle leave
}

func newWorkers(stay int, quit <-chan struct{}) *workers {
	return &workers{jobs: make(chan func()), idle: make(chan struct{}, stay), quit: quit}
}

func (w *workers) do(job func()) {
	select {
	case w.jobs <- job: // somebody was idle
	default:
		go w.work(job)
	}
}

func (w *workers) work(job func()) {
	for {
		job()
		select {
		case w.idle <- struct{}{}:
		default:
			return // enough are
		}
		select {
		case job = <-w.jobs:
			<-w.idle
		case <-w.quit:
			return
		}
	}
}
