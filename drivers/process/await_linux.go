package process

import (
	"os"

	"golang.org/x/sys/unix"
)

// awaitExit waits until our child pid has exited and leaves it to be waited
// for: until then its number, and its group's, cannot be given to anybody else.
// It sleeps in Go's poller: a wait4 would cost a thread per life. false means
// that it cannot be done here.
func awaitExit(pid int) bool {
	fd, err := unix.PidfdOpen(pid, unix.PIDFD_NONBLOCK)
	if err != nil {
		return false
	}
	f := os.NewFile(uintptr(fd), "pidfd")
	defer func() { _ = f.Close() }()
	raw, err := f.SyscallConn()
	if err != nil {
		return false
	}
	err = raw.Read(func(fd uintptr) bool {
		n, _ := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0)
		return n > 0
	})
	return err == nil
}
