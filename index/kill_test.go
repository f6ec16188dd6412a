package index_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"kurogo/index"
)

const (
	killPoints = 50
	killFiles  = 700 // more than one batch
)

// victim is the child: it indexes and says so after every file it has opened,
// until it is killed.
func victim(root, db string) {
	ctx := context.Background()
	opt := index.Options{Git: git}.OnOpened(func(string) { fmt.Println("opened") })
	x, err := index.Open(ctx, db, opt)
	if err == nil {
		_, err = x.Sync(ctx, root)
	}
	if err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
	fmt.Println("synced")
	x.Close()
	fmt.Println("closed")
}

// Killed anywhere, an index is finished by the next Sync and is then what it
// would be without the fall: also when the work tree went back meanwhile.
func TestKilledAnywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("fifty processes")
	}
	s := newRepo(t)
	for i := range killFiles / 2 {
		s.write(fmt.Sprintf("p/f%d.go", i), goFile(i))
	}
	s.commit()
	s.sync()
	if err := s.x.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(s.db)
	if err != nil {
		t.Fatal(err)
	}
	s.git("checkout", "--quiet", "-b", "other")
	for i := range killFiles {
		s.write(fmt.Sprintf("p/f%d.go", i), goFile(5000+i))
	}
	s.commit()
	random := rand.New(rand.NewPCG(7, 50))
	fresh := map[bool]string{} // of either branch
	for point := range killPoints {
		for _, suffix := range []string{"-wal", "-shm"} {
			os.Remove(s.db + suffix)
		}
		if err := os.WriteFile(s.db, before, 0o600); err != nil {
			t.Fatal(err)
		}
		said := fall(t, s.root, s.db, random.IntN(killFiles+20))
		if strings.HasPrefix(said, "failed") {
			t.Fatal(said)
		}
		back := point%2 == 1
		if back {
			s.git("checkout", "--quiet", "main")
		}
		s.open()
		s.sync()
		if fresh[back] == "" {
			fresh[back] = s.fresh("Number17", "counted")
		}
		if got := s.told("Number17", "counted"); got != fresh[back] {
			t.Errorf("point %d: the index tells\n%s\na fresh one\n%s", point, got, fresh[back])
		}
		if err := s.x.Close(); err != nil {
			t.Fatal(err)
		}
		if back {
			s.git("checkout", "--quiet", "other")
		}
	}
	s.open()
}

// fall runs the child until it has said so many lines, and kills it.
func fall(t *testing.T, root, db string, lines int) (last string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "INDEX_TEST_ROOT="+root, "INDEX_TEST_DB="+db)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewScanner(out)
	for range lines {
		if !said.Scan() {
			break
		}
		last = said.Text()
	}
	cmd.Process.Kill()
	for said.Scan() { // what was in the pipe
		last = said.Text()
	}
	cmd.Wait()
	return last
}
