package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

func fdatasync(f *os.File) error { return unix.Fdatasync(int(f.Fd())) }

// magics names the file systems that one meets.
var magics = map[int64]string{
	unix.EXT4_SUPER_MAGIC: "ext4", unix.XFS_SUPER_MAGIC: "xfs", unix.BTRFS_SUPER_MAGIC: "btrfs", unix.OVERLAYFS_SUPER_MAGIC: "overlay",
	unix.TMPFS_MAGIC: "tmpfs", unix.RAMFS_MAGIC: "ramfs", unix.NFS_SUPER_MAGIC: "nfs", unix.F2FS_SUPER_MAGIC: "f2fs", 0x2fc12fc1: "zfs",
}

func magic(dir string) int64 {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0
	}
	return int64(s.Type) //nolint:unconvert // it has another type on other machines
}

func filesystem(dir string) string {
	m := magic(dir)
	if name, ok := magics[m]; ok {
		return name
	}
	return fmt.Sprintf("file system %#x", m)
}

func inMemory(dir string) bool {
	m := magic(dir)
	return m == unix.TMPFS_MAGIC || m == unix.RAMFS_MAGIC
}

// load is the load average of the last minute.
func load() string {
	b, _ := os.ReadFile("/proc/loadavg") // no line, no load
	one, _, _ := strings.Cut(string(b), " ")
	return one
}

// resident is how much memory a process holds: all of it, and the part that is
// no file's.
func resident(pid int) (all, anonymous int64, err error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(b)) {
		name, rest, _ := strings.Cut(line, ":")
		fields := strings.Fields(rest)
		if len(fields) == 0 {
			continue
		}
		kb, _ := strconv.ParseInt(fields[0], 10, 64) // the two lines that count have numbers
		switch name {
		case "VmRSS":
			all = kb << 10
		case "RssAnon":
			anonymous = kb << 10
		}
	}
	return all, anonymous, nil
}

// commandOf is with which arguments and in which environment a process was
// started.
func commandOf(pid int) (argv, env []string, err error) {
	for name, into := range map[string]*[]string{"cmdline": &argv, "environ": &env} {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, name))
		if err != nil {
			return nil, nil, err
		}
		*into = strings.Split(strings.TrimSuffix(string(b), "\x00"), "\x00")
	}
	return argv, env, nil
}
