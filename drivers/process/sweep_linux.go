package process

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// A process may start another one while it is being killed, so a sweep looks
// again until it finds nobody; but not for ever: who sleeps in the kernel on a
// dead disk cannot be killed.
const (
	sweepRounds = 40
	firstPause  = time.Millisecond
	longPause   = 50 * time.Millisecond
)

// sweepLife kills what a dead root left behind and returns how many survived.
func sweepLife(root member, life string, known []member) int {
	return sweep(func(t table) []member { return t.members(root, life, known) })
}

func sweep(find func(table) []member) int {
	hit := map[member]bool{} // the dying lose their environment before they are dead
	pause := firstPause
	for range sweepRounds {
		t := survey()
		buried := t.bury()
		for _, m := range find(t) {
			hit[m] = true
		}
		maps.DeleteFunc(hit, func(m member, _ bool) bool { return !t.lives(m) })
		if len(hit) == 0 && buried {
			return 0
		}
		for m := range hit {
			m.kill()
		}
		time.Sleep(pause)
		pause = min(2*pause, longPause)
	}
	return len(hit)
}

func (t table) lives(m member) bool {
	r := t[m.pid]
	return r.member == m && !r.dead
}

// kill sends SIGKILL to this process and to no later one of the same number:
// the descriptor is taken first, the identity is checked after.
func (m member) kill() {
	fd, err := unix.PidfdOpen(m.pid, 0)
	if err != nil {
		if errors.Is(err, unix.ENOSYS) && identify(m.pid) == m {
			_ = unix.Kill(m.pid, unix.SIGKILL)
		}
		return
	}
	defer func() { _ = unix.Close(fd) }()
	if identify(m.pid) == m {
		_ = unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0)
	}
}

// bury takes the status of the orphans that we adopted. It reports false while
// some of the dead are still on their way to us: their parent is dying too, or
// one of their own threads is.
func (t table) bury() bool {
	if !adopts.Load() {
		return true
	}
	all := true
	ours.reap(t.orphans(), func(pid int) {
		if got, err := unix.Wait4(pid, nil, unix.WNOHANG, nil); got == 0 && err == nil {
			all = false
		}
	})
	for _, r := range t {
		if parent, ok := t[r.parent]; r.dead && r.parent > 1 && (!ok || parent.dead) {
			all = false
		}
	}
	return all
}

// Find lists the living processes that carry the marker of a store, or of one
// life when the whole of it is given. Neither this process nor any of its
// ancestors is among them.
func Find(store string) []Found {
	t := survey()
	self := t.ancestors()
	var out []Found
	for pid, r := range t {
		if life := lifeOf(pid); !r.dead && !self[pid] && belongs(life, store) {
			out = append(out, Found{Pid: pid, Command: commandOf(pid), Life: life})
		}
	}
	slices.SortFunc(out, func(a, b Found) int { return a.Pid - b.Pid })
	return out
}

// Sweep kills the lives of a store that old calls old, with all that descends
// from them, and names whom it killed. It spares this process, its ancestors and
// whoever carries another marker.
func Sweep(store string, old func(life string) bool) ([]Found, error) {
	killed := map[member]Found{}
	left := sweep(func(t table) []member {
		var out []member
		for m, f := range t.marked(store, old) {
			killed[m] = f
			out = append(out, m)
		}
		return out
	})
	found := slices.SortedFunc(maps.Values(killed), func(a, b Found) int { return a.Pid - b.Pid })
	if left > 0 {
		return found, fmt.Errorf("sweep %s: %d processes would not die", store, left)
	}
	return found, nil
}

// marked finds the old lives of a store and their unmarked descendants.
func (t table) marked(store string, old func(string) bool) map[member]Found {
	self := t.ancestors()
	life := map[int]string{}
	mine := map[int]bool{}
	for pid, r := range t {
		if r.dead || self[pid] {
			continue
		}
		life[pid] = lifeOf(pid)
		mine[pid] = belongs(life[pid], store) && old(life[pid])
	}
	out := map[member]Found{}
	for pid, l := range life {
		if mine[pid] || l == "" && t.descends(pid, mine) {
			out[t[pid].member] = Found{Pid: pid, Command: commandOf(pid), Life: l}
		}
	}
	return out
}

// ancestors are this process and everybody above it.
func (t table) ancestors() map[int]bool {
	out := map[int]bool{}
	for pid := os.Getpid(); pid > 0 && !out[pid]; pid = t[pid].parent {
		out[pid] = true
	}
	return out
}

func belongs(life, store string) bool {
	return store != "" && (life == store || strings.HasPrefix(life, store+":"))
}
