package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// eachKey has a terminal give us each key as it is typed, without showing it.
// Ctrl-C stays what it is.
func eachKey(f *os.File) (restore func(), ok bool) {
	fd := int(f.Fd())
	was, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return nil, false
	}
	now := *was
	now.Lflag &^= unix.ICANON | unix.ECHO | unix.IEXTEN
	now.Cc[unix.VMIN], now.Cc[unix.VTIME] = 1, 0
	if unix.IoctlSetTermios(fd, unix.TCSETS, &now) != nil {
		return nil, false
	}
	return func() { _ = unix.IoctlSetTermios(fd, unix.TCSETS, was) }, true
}
