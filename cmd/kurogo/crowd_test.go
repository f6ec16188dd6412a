package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A crowd is a crew of twenty: a boss, three managers, sixteen workers.
const (
	managers = 3
	workers  = 16
)

// worksFor lists a manager's workers.
func worksFor(manager int) (names []string) {
	for w := 1; w <= workers; w++ {
		if w%managers == manager-1 {
			names = append(names, fmt.Sprintf("worker%d", w))
		}
	}
	return names
}

// writeCrowd makes a project whose crew hands every task down to all its
// workers. Some of them fall at their first attempt, some write files, and one
// goes deaf when it hears "deaf". Nobody is given up: every task completes, if
// nothing is lost.
func writeCrowd(t *testing.T, project string) {
	t.Helper()
	var crew, play strings.Builder
	crew.WriteString(`language = "en"
driver = "rehearsal"
[limits]
attempts = 10000
[timeouts]
message_receive = "3s"
[reconnect]
initial_delay = "10ms"
max_delay = "50ms"
[drivers.rehearsal]
performance = "play.toml"
`)
	member(&crew, "boss", "user", "manager1", "manager2", "manager3")
	handOver(&play, "boss", "user", []string{"manager1", "manager2", "manager3"})
	for m := 1; m <= managers; m++ {
		name := fmt.Sprintf("manager%d", m)
		member(&crew, name, "boss", worksFor(m)...)
		handOver(&play, name, "boss", worksFor(m))
	}
	for w := 1; w <= workers; w++ {
		name := fmt.Sprintf("worker%d", w)
		member(&crew, name, fmt.Sprintf("manager%d", w%managers+1))
		work(&play, name, w)
	}
	for file, text := range map[string]string{"kurogo.toml": crew.String(), "play.toml": play.String()} {
		if err := os.WriteFile(filepath.Join(project, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func member(to *strings.Builder, name, superior string, below ...string) {
	talks := ""
	for _, b := range below {
		talks += fmt.Sprintf("%q, ", b)
	}
	fmt.Fprintf(to, "[personas.%s]\nreports_to = %q\ntalks_to = [%s]\nsystem_prompt = \"play\"\nrole_check = false\n", name, superior, talks)
}

// handOver asks everybody below, and answers when all have.
func handOver(to *strings.Builder, who, from string, below []string) {
	fmt.Fprintf(to, "[[scene]]\nwho = %q\non = \"task_request\"\nfrom = %q\n", who, from)
	for _, b := range below {
		fmt.Fprintf(to, "[[scene.line]]\nwait = \"5ms\"\n[scene.line.send]\nto = %q\ncontent = \"{{content}}\"\n", b)
	}
	fmt.Fprintf(to, "[[scene.line]]\nthink = \"they work\"\n[[scene]]\nwho = %q\n[[scene.line]]\nwait = \"5ms\"\nsay = \"%s has heard all\"\n", who, who)
}

func work(to *strings.Builder, who string, n int) {
	if n%5 == 0 {
		fmt.Fprintf(to, "[[scene]]\nwho = %q\nattempt = 1\n[[scene.line]]\nwait = \"%dms\"\ncrash = %d\n", who, n, n)
	}
	if n == workers {
		fmt.Fprintf(to, "[[scene]]\nwho = %q\nattempt = 1\nmatch = \"deaf\"\n[[scene.line]]\nhang = true\n", who)
	}
	fmt.Fprintf(to, "[[scene]]\nwho = %q\n[[scene.line]]\nwait = \"%dms\"\nthink = \"so\"\n", who, 5+n*55/workers)
	if n%4 == 0 {
		fmt.Fprintf(to, "[[scene.line]]\nwrite = { path = \"out/%s.txt\", content = \"done\" }\n", who)
	}
	fmt.Fprintf(to, "[[scene.line]]\nsay = \"%s is done\"\n", who)
}
