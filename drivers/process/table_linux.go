package process

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// A member is one process, told from a later one of the same number by the
// moment of its start.
type member struct {
	pid   int
	start uint64 // clock ticks since boot
}

type row struct {
	member
	parent int
	group  int
	dead   bool // a zombie
}

// A table is the processes of this machine at one moment.
type table map[int]row

func survey() table {
	t := table{}
	dir, err := os.Open("/proc")
	if err != nil {
		return t
	}
	defer func() { _ = dir.Close() }()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			if r, ok := look(pid); ok {
				t[pid] = r
			}
		}
	}
	return t
}

// look reads /proc/PID/stat. The command's name in it may hold anything, even
// spaces and brackets, so the fields are counted from its last bracket.
func look(pid int) (row, bool) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return row{}, false
	}
	f := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	if len(f) < 20 {
		return row{}, false
	}
	r := row{member: member{pid: pid}, dead: f[0] == "Z" || f[0] == "X"}
	r.parent, _ = strconv.Atoi(f[1])
	r.group, _ = strconv.Atoi(f[2])
	r.start, err = strconv.ParseUint(f[19], 10, 64)
	return r, err == nil
}

func identify(pid int) member {
	r, _ := look(pid)
	return member{pid: pid, start: r.start}
}

// lifeOf is the marker of a process, "" if it has none or hides it.
func lifeOf(pid int) string {
	env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return ""
	}
	for pair := range bytes.SplitSeq(env, []byte{0}) {
		if life, ok := bytes.CutPrefix(pair, []byte(Marker+"=")); ok {
			return string(life)
		}
	}
	return ""
}

func commandOf(pid int) string {
	b, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	return strings.ToValidUTF8(strings.TrimSpace(strings.ReplaceAll(string(b), "\x00", " ")), "\uFFFD")
}

// members lists, without the root itself, the living who belong to a life: they
// are in the root's group, descend from the root or from somebody known, or
// carry the marker. Nobody who is older than the root can be its descendant.
func (t table) members(root member, life string, known []member) []member {
	mine := map[int]bool{root.pid: true}
	for _, m := range known {
		if t[m.pid].member == m {
			mine[m.pid] = true
		}
	}
	var out []member
	for pid, r := range t {
		if r.dead || pid == root.pid || pid == os.Getpid() || r.start < root.start {
			continue
		}
		if r.group == root.pid || t.descends(pid, mine) || life != "" && lifeOf(pid) == life {
			out = append(out, r.member)
		}
	}
	return out
}

// descends reports whether pid, or one of its ancestors, is among those.
func (t table) descends(pid int, those map[int]bool) bool {
	for range len(t) { // a table is read while it changes: it may hold a ring
		if those[pid] {
			return true
		}
		if pid = t[pid].parent; pid <= 1 {
			return false
		}
	}
	return false
}

// orphans are the dead children of this program.
func (t table) orphans() []int {
	var out []int
	for pid, r := range t {
		if r.dead && r.parent == os.Getpid() {
			out = append(out, pid)
		}
	}
	return out
}
