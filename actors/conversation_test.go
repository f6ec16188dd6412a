package actors_test

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/tools/txtar"

	"kurogo/messages"
)

var update = flag.Bool("update", false, "rewrite the want part of the scripts")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestConversations plays each script in testdata against the real tree and a
// real journal, in virtual time, and compares what the journal tells with the
// script's want part. A script has three parts: what the agents do (agents),
// what people do and when (say), and what everybody hears (want).
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			part := map[string]string{}
			for _, f := range ar.Files {
				part[f.Name] = string(f.Data)
			}
			var got string
			synctest.Test(t, func(t *testing.T) { got = converse(t, part["agents"], part["say"]) })
			if *update {
				ar.Files[len(ar.Files)-1].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(ar), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != part["want"] {
				t.Errorf("conversation differs\n--- got\n%s--- want\n%s", got, part["want"])
			}
		})
	}
}

// converse runs the lines of a script: "after 5m" moves the clock, the rest are
// people's acts. At the end everything that was forgotten may still speak.
func converse(t *testing.T, agents, say string) string {
	t.Helper()
	play := map[messages.Address][]string{}
	for line := range strings.Lines(agents) {
		name, turn, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if ok {
			play[messages.Address(name)] = append(play[messages.Address(name)], turn)
		}
	}
	s := setStage(t, play)
	synctest.Wait()
	for line := range strings.Lines(say) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			s.act(line)
		}
		synctest.Wait()
	}
	<-time.After(2 * time.Hour)
	synctest.Wait()
	out := s.transcript()
	s.close()
	return out
}

// act does what a person does: "ask boss … [within 60s] [prio=urgent]", "tell boss …", "cancel 1",
// "stop left", "start left", "after 5s".
func (s *stage) act(line string) {
	s.t.Helper()
	verb, rest, _ := strings.Cut(line, " ")
	ctx := context.Background()
	switch verb {
	case "after":
		d, err := time.ParseDuration(rest)
		if err != nil {
			s.t.Fatal(err)
		}
		<-time.After(d)
	case "ask", "tell":
		to, content, _ := strings.Cut(rest, " ")
		m := messages.Submit{Message: messages.CCMessage{To: messages.Address(to), Type: messages.TaskRequest, Content: content}}
		if verb == "tell" {
			m.Message.Type = messages.Info
		}
		if before, deadline, ok := strings.Cut(content, " within "); ok {
			m.Message.Content = before
			m.Deadline, _ = time.ParseDuration(deadline)
		}
		if before, prio, ok := strings.Cut(content, " prio="); ok {
			m.Message.Content, m.Message.Metadata.Priority = before, messages.Priority(prio)
		}
		answer, err := s.desk.Ask(ctx, m)
		if err != nil {
			s.t.Fatalf("%s: %v", line, err)
		}
		s.tasks = append(s.tasks, answer.(messages.Accepted).Task)
	case "cancel":
		n, _ := strconv.Atoi(rest)
		if _, err := s.desk.Ask(ctx, messages.CancelTask{Task: s.tasks[n-1]}); err != nil {
			s.t.Fatal(err)
		}
	case "stop":
		s.order(messages.StopPersona{Name: messages.Address(rest)})
	case "start":
		s.order(messages.StartPersona{Name: messages.Address(rest)})
	default:
		s.t.Fatalf("%q is no act", line)
	}
}

func (s *stage) order(m messages.Message) {
	s.t.Helper()
	if _, err := s.desk.Ask(context.Background(), m); err != nil {
		s.t.Fatal(err)
	}
}

// A heard is one line of a transcript.
type heard struct {
	at   time.Duration
	who  string
	text string
}

// transcript words the journal's events. Within one instant lines are sorted by
// who acts: the order between two actors is not part of the contract.
func (s *stage) transcript() string {
	var lines []heard
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	last := s.store.Last()
	for e, err := range s.store.Watch(ctx, messages.Topic{}, 0) {
		if err != nil {
			s.t.Fatal(err)
		}
		if who, text := word(e); text != "" {
			lines = append(lines, heard{e.At.Sub(s.start).Round(time.Second), who, text})
		}
		if e.Seq == last {
			break
		}
	}
	slices.SortStableFunc(lines, func(a, b heard) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.who, b.who)) })
	var out strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&out, "%-6s %s\n", l.at, l.text)
	}
	return out.String()
}

func word(e messages.Event) (who, text string) {
	switch e.Kind { //nolint:exhaustive // the rest is no conversation
	case messages.MessageAccepted:
		m := data[messages.Truncated](e)
		return string(m.From), fmt.Sprintf("%s > %s: %s %q", m.From, m.To, m.Type, m.Content)
	case messages.MessageRouted:
		m := data[messages.CCMessage](e)
		return string(m.From), fmt.Sprintf("%s ~ %s: %s", m.From, m.To, m.Type)
	case messages.MessageRefused:
		r := data[messages.Refusal](e)
		return string(r.From), fmt.Sprintf("%s may not > %s: %s", r.From, r.To, r.Error)
	case messages.MessageRetried:
		d := data[messages.Delivery](e)
		return string(d.To), fmt.Sprintf("%s loses attempt %d: %s", d.To, d.Attempt, d.Error)
	case messages.MessageParked:
		d := data[messages.Delivery](e)
		return string(d.To), fmt.Sprintf("%s must wait: %s", d.To, d.Error)
	case messages.MessageDead:
		d := data[messages.Delivery](e)
		return string(d.To), fmt.Sprintf("%s gives up after attempt %d: %s", d.To, d.Attempt, d.Error)
	case messages.PersonaThought:
		u := data[messages.Utterance](e)
		return string(u.From), fmt.Sprintf("%s thinks %q", u.From, u.Text)
	case messages.TaskUpdated:
		if t := data[messages.Task](e); t.Status.Final() {
			return string(t.Owner), fmt.Sprintf("%s's task of %s: %s", t.Owner, t.Requester, t.Status)
		}
	}
	return "", ""
}

func data[T any](e messages.Event) (v T) {
	if err := json.Unmarshal(e.Data, &v); err != nil {
		panic(err)
	}
	return v
}
