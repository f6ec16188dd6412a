package process

import (
	"fmt"
	"os/exec"
	"sync"
)

// ours knows the processes that this program started and has not yet waited
// for. Any other dead child is an orphan that we adopted (Adopt): its status
// belongs to nobody and may be taken. That is why the sweep never needs
// wait4(-1), which would steal the status of a life from its own Wait.
var ours = children{pids: map[int]bool{}}

type children struct {
	mu   sync.RWMutex // shared while starting, alone while reaping
	set  sync.Mutex
	pids map[int]bool
}

// start starts the command so that no reaper can see it unregistered.
func (c *children) start(cmd *exec.Cmd) error {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("exec: %w", err)
	}
	c.set.Lock()
	defer c.set.Unlock()
	c.pids[cmd.Process.Pid] = true
	return nil
}

// forget is called once the process has been waited for.
func (c *children) forget(pid int) {
	c.set.Lock()
	defer c.set.Unlock()
	delete(c.pids, pid)
}

// reap calls take for those of the dead that this program did not start.
func (c *children) reap(dead []int, take func(pid int)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, pid := range dead {
		c.set.Lock()
		started := c.pids[pid]
		c.set.Unlock()
		if !started {
			take(pid)
		}
	}
}
