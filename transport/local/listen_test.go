package local_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kurogo/messages"
	"kurogo/transport/local"
)

// The socket is ours alone, and so is the directory that it makes.
func TestListenKeepsOthersOut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	path := filepath.Join(dir, "k.sock")
	l, err := local.Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]fs.FileMode{dir: 0o700, path: 0o600} {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: mode %v, %v, want %v", file, info.Mode().Perm(), err, want)
		}
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the socket is left behind: %v", err)
	}
}

// An owner that was killed leaves its socket behind. Nobody answers there, and
// the next owner takes its place.
func TestListenAfterAnOwnerFell(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s", "k.sock")
	l, err := local.Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false) // as kill -9 does
	_ = l.Close()

	_, err = local.Dial(t.Context(), path, us)
	if !errors.Is(err, local.ErrNobody) {
		t.Errorf("dial said %v", err)
	}
	wantCode(t, err, messages.CodeUnavailable, "kurogo serve")
	l, err = local.Listen(path)
	if err != nil {
		t.Fatalf("the next owner: %v", err)
	}
	_ = l.Close()
}

func TestListenRefuses(t *testing.T) {
	t.Run("a file that is no socket", func(t *testing.T) {
		path := filepath.Join(private(t), "k.sock")
		if err := os.WriteFile(path, []byte("dear diary"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := local.Listen(path)
		wantCode(t, err, messages.CodeConflict, "is no socket")
		if b, _ := os.ReadFile(path); string(b) != "dear diary" {
			t.Error("and destroyed it")
		}
	})
	t.Run("a directory that is open to others", func(t *testing.T) {
		dir := private(t)
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		_, err := local.Listen(filepath.Join(dir, "k.sock"))
		wantCode(t, err, messages.CodeDenied, "0755", "chmod 700")
	})
	t.Run("a path that no socket can have", func(t *testing.T) {
		path := "/" + strings.Repeat("d", local.PathBytes)
		_, err := local.Listen(path)
		wantCode(t, err, messages.CodeInvalid, "socket", "104 bytes", "XDG_STATE_HOME")
		_, err = local.Dial(t.Context(), path, us)
		wantCode(t, err, messages.CodeInvalid, "104 bytes")
	})
	t.Run("a directory that cannot be", func(t *testing.T) {
		file := filepath.Join(private(t), "file")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := local.Listen(filepath.Join(file, "k.sock")); err == nil {
			t.Error("a file is no directory")
		}
	})
}

func TestDialWhereNothingEverWas(t *testing.T) {
	_, err := local.Dial(t.Context(), filepath.Join(t.TempDir(), "k.sock"), us)
	if !errors.Is(err, local.ErrNobody) {
		t.Errorf("dial said %v", err)
	}
}

func private(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}
