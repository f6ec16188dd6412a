package local_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"kurogo/messages"
	"kurogo/transport/local"
)

// One holds the lock; the second is told who. When the first lets go the next
// one gets it, and the file stays where it is.
func TestLockHasOneHolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kurogo.lock")
	release, err := local.Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = local.Lock(path)
	wantCode(t, err, messages.CodeConflict, "pid "+strconv.Itoa(os.Getpid()), path)
	release()
	again, err := local.Lock(path)
	if err != nil {
		t.Fatalf("after the release: %v", err)
	}
	again()
	if b, err := os.ReadFile(path); err != nil || len(b) != 0 {
		t.Errorf("left behind: %q, %v", b, err)
	}
}

// A holder that has not signed yet is still a holder.
func TestLockWithoutASignature(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kurogo.lock")
	release, err := local.Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	_, err = local.Lock(path)
	wantCode(t, err, messages.CodeConflict, "another kurogo holds")
}

func TestLockWhereNoFileCanBe(t *testing.T) {
	if _, err := local.Lock(filepath.Join(t.TempDir(), "gone", "kurogo.lock")); err == nil {
		t.Error("a lock without a file")
	}
}
