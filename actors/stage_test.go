package actors_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"kurogo/actors"
	"kurogo/messages"
	"kurogo/stores/sqlite"
	"kurogo/supervisors"
)

// A stage is the real tree over a real journal in memory, with agents that do
// what a script says. It lives inside a synctest bubble.
type stage struct {
	t     *testing.T
	store *sqlite.Store
	tree  *supervisors.Tree
	desk  *actors.Desk
	seen  actors.Journal // as the actors see it
	start time.Time
	tasks []messages.TaskID

	agents map[messages.Address]*agent
}

var (
	limits   = messages.Limits{MessageBytes: 1000, ThinkingBytes: 100, Depth: 3, OpenSubtasks: 3, MessagesPerRoot: 30, InboxDepth: 4, Attempts: 5}
	timeouts = actors.Timeouts{ProcessStart: 30 * time.Second, MessageReceive: 60 * time.Second, Task: 300 * time.Second, Idle: 120 * time.Second, Grace: 5 * time.Second}
	backoff  = actors.Backoff{Initial: time.Second, Max: time.Minute, Factor: 2, Tries: 5}
	crew     = messages.Hierarchy{
		"boss":  {Name: "boss", Driver: "fake", ReportsTo: messages.User, TalksTo: []messages.Address{"left", "right"}},
		"left":  {Name: "left", Driver: "fake", ReportsTo: "boss", TalksTo: []messages.Address{"boss", "right"}},
		"right": {Name: "right", Driver: "fake", ReportsTo: "boss", TalksTo: []messages.Address{"boss"}},
	}
)

// setStage opens everything. The test must call close before it ends.
func setStage(t *testing.T, play map[messages.Address][]string) *stage {
	t.Helper()
	return scenery{play: play}.set(t)
}

// A scenery is what may differ between two stages.
type scenery struct {
	play   map[messages.Address][]string
	veil   func(actors.Journal) actors.Journal // through which the actors, but not the people, see the journal
	crew   messages.Hierarchy
	limits messages.Limits
}

func (sc scenery) set(t *testing.T) *stage {
	t.Helper()
	if sc.veil == nil {
		sc.veil = func(j actors.Journal) actors.Journal { return j }
	}
	if sc.crew == nil {
		sc.crew = crew
	}
	if sc.limits == (messages.Limits{}) {
		sc.limits = limits
	}
	play, crew := sc.play, sc.crew
	log := slog.New(slog.DiscardHandler)
	if testing.Verbose() {
		log = slog.New(slog.NewTextHandler(t.Output(), nil))
	}
	s := &stage{t: t, start: time.Now(), agents: map[messages.Address]*agent{}}
	s.tree = supervisors.New(actors.SystemClock{}, log)
	var err error
	s.store, err = sqlite.Open(t.Context(), "", sqlite.Options{
		Limits: sc.limits,
		Notify: func(n sqlite.Notice) { s.tree.Notify(n.Wakes, n.Interrupts, n.Due) },
	})
	if err != nil {
		t.Fatal(err)
	}
	ids, seen := ids(), sc.veil(s.store)
	s.seen = seen
	var casts []actors.Cast
	for _, name := range crew.Names() {
		agent := &agent{turns: play[name]}
		s.agents[name] = agent
		casts = append(casts, actors.Cast{
			Spec: crew[name], Hierarchy: crew, Limits: limits, Timeouts: timeouts, Backoff: backoff, Store: "s",
			Brief:   messages.Spec{Language: "en", StartTimeout: timeouts.ProcessStart, Grace: timeouts.Grace},
			Journal: seen, Clock: actors.SystemClock{}, NewID: ids, Log: log, Tools: []messages.Tool{actors.SendMessage()},
			Life: actors.Lives(agent, log),
		})
	}
	if err := s.tree.Start(t.Context(), s.store, casts); err != nil {
		t.Fatal(err)
	}
	s.desk = &actors.Desk{
		Hierarchy: crew, Limits: limits, Send: 10 * time.Second, Journal: s.store, Archive: s.store,
		Clock: actors.SystemClock{}, NewID: ids, Root: s.tree.Root(), Home: s.tree.Home,
	}
	return s
}

func ids() func() messages.MessageID {
	var mu sync.Mutex
	n := 0
	return func() messages.MessageID {
		mu.Lock()
		defer mu.Unlock()
		n++
		return messages.MessageID(fmt.Sprintf("m%d", n))
	}
}

func (s *stage) close() {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := s.tree.Stop(ctx); err != nil {
		s.t.Error(err)
	}
	report, err := s.store.Check(ctx)
	if err != nil || len(report.Violations) > 0 {
		s.t.Errorf("journal: %v, %v", report.Violations, err)
	}
	if err := s.store.Close(); err != nil {
		s.t.Error(err)
	}
	<-time.After(5 * time.Second) // the library's dead-letter throttle, in virtual time
}

// An agent is a driver and all of its lives: turn n plays turns[n-1], a list of
// steps between semicolons; beyond the last it says what it has read. Every turn takes a
// second before its first step.
type agent struct {
	mu       sync.Mutex
	scripted bool // what it is asked is what it does
	turns    []string
	given    []messages.Turn
	specs    []messages.Spec
}

func (a *agent) Name() string { return "fake" }

func (a *agent) Probe(context.Context) (messages.Caps, error) {
	return messages.Caps{LongLived: true, InBandTools: true, Interrupt: true}, nil
}

func (a *agent) Start(_ context.Context, spec messages.Spec) (messages.Session, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.specs = append(a.specs, spec)
	if len(a.turns) > len(a.given) && a.turns[len(a.given)] == "missing" {
		return nil, messages.Errorf(messages.CodeUnavailable, "there is no fake").Try("install it")
	}
	s := &session{agent: a, events: make(chan messages.DriverEvent), results: make(chan messages.ToolResult), broken: make(chan struct{}, 1), dead: make(chan struct{}), played: make(chan struct{})}
	close(s.played)
	go s.emit(messages.DriverEvent{Kind: messages.DriverReady})
	return s, nil
}

// next gives turn n of all lives its steps.
func (a *agent) next(t messages.Turn) []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.given = append(a.given, t)
	if a.scripted {
		return strings.Split(a.part(t.Messages[0].Content), ";")
	}
	if n := len(a.given); n <= len(a.turns) {
		return append([]string{"wait 1s"}, strings.Split(a.turns[n-1], ";")...)
	}
	return []string{"wait 1s", "say read {content}"}
}

// part is what of a prompt of ours is for the player: all of it, or the task of a
// plan, or the instructions of a step.
func (a *agent) part(prompt string) string {
	if _, rest, ok := strings.Cut(prompt, "<task>\n"); ok {
		task, _, _ := strings.Cut(rest, "\n</task>")
		return task
	}
	if _, rest, ok := strings.Cut(prompt, "\nYour step: "); ok {
		lines := strings.SplitN(rest, "\n", 3)
		return lines[1]
	}
	return prompt
}

// A session is one life.
type session struct {
	*agent
	events  chan messages.DriverEvent
	results chan messages.ToolResult
	broken  chan struct{}
	dead    chan struct{}
	telling sync.RWMutex  // held for reading while somebody tells an event
	turn    sync.Mutex    // guards played
	played  chan struct{} // closed when no turn is on
	once    sync.Once
	exit    messages.Exit
}

func (s *session) Events() <-chan messages.DriverEvent { return s.events }
func (s *session) Pid() int                            { return 0 }

func (s *session) Send(_ context.Context, t messages.Turn) error {
	over := make(chan struct{})
	s.turn.Lock()
	s.played = over
	s.turn.Unlock()
	go func() {
		defer close(over)
		s.play(t, s.next(t))
	}()
	return nil
}

func (s *session) Answer(_ context.Context, r messages.ToolResult) error {
	select {
	case s.results <- r:
	case <-s.dead:
	}
	return nil
}

func (s *session) Interrupt(context.Context) error {
	select {
	case s.broken <- struct{}{}:
	default:
	}
	return nil
}

func (s *session) Stop(context.Context) messages.Exit {
	s.fall(messages.Exit{Class: messages.ClassKilled})
	<-s.idle()
	return s.exit
}

func (s *session) idle() <-chan struct{} {
	s.turn.Lock()
	defer s.turn.Unlock()
	return s.played
}

func (s *session) fall(e messages.Exit) {
	s.once.Do(func() {
		s.exit = e
		close(s.dead)
		go func() {
			<-s.idle()
			s.events <- messages.DriverEvent{Kind: messages.DriverExited, Exit: e}
			s.telling.Lock() // whoever was telling has heard that it is dead
			defer s.telling.Unlock()
			close(s.events)
		}()
	})
}

func (s *session) emit(e messages.DriverEvent) {
	s.telling.RLock()
	defer s.telling.RUnlock()
	select {
	case s.events <- e:
	case <-s.dead:
	}
}

// play does the steps of a turn: "wait 3s", "think …", "say …", "fail class …",
// "send to type content [ttl=N] [prio=P]", "crash", "hang", "panic".
func (s *session) play(t messages.Turn, steps []string) {
	said := ""
	for i, step := range steps {
		verb, rest, _ := strings.Cut(strings.TrimSpace(step), " ")
		rest = strings.NewReplacer("{attempt}", strconv.Itoa(t.Attempt), "{content}", t.Messages[0].Content).Replace(rest)
		switch verb {
		case "wait":
			d, _ := time.ParseDuration(rest)
			select {
			case <-time.After(d):
			case <-s.dead:
				return
			case <-s.broken:
				s.emit(messages.DriverEvent{Kind: messages.DriverTurnEnded, Turn: t.ID, End: messages.TurnEnd{Class: messages.ClassInterrupted, Text: "interrupted"}})
				return
			}
		case "think":
			s.emit(messages.DriverEvent{Kind: messages.DriverThought, Turn: t.ID, Text: rest})
		case "say":
			said = rest
			s.emit(messages.DriverEvent{Kind: messages.DriverSaid, Turn: t.ID, Text: rest})
		case "send":
			if !s.send(t, fmt.Sprint(i), rest) {
				return
			}
		case "fail":
			class, reason, _ := strings.Cut(rest, " ")
			s.emit(messages.DriverEvent{Kind: messages.DriverTurnEnded, Turn: t.ID, End: messages.TurnEnd{Class: messages.Class(class), Text: reason}})
			return
		case "tool", "tooled":
			id, name, _ := strings.Cut(rest, " ")
			kind := map[string]messages.DriverKind{"tool": messages.DriverToolStarted, "tooled": messages.DriverToolEnded}[verb]
			s.emit(messages.DriverEvent{Kind: kind, Turn: t.ID, Tool: messages.ToolCall{ID: id, Name: name, Input: json.RawMessage(`{"path":"a.go"}`)}})
		case "create", "edit", "delete":
			kind := map[string]messages.FileChangeKind{"create": messages.FileCreated, "edit": messages.FileEdited, "delete": messages.FileDeleted}[verb]
			s.emit(messages.DriverEvent{Kind: messages.DriverChanged, Turn: t.ID, File: messages.FileChange{Path: rest, Kind: kind}})
		case "cost":
			n, _ := strconv.ParseInt(rest, 10, 64)
			s.emit(messages.DriverEvent{Kind: messages.DriverUsed, Turn: t.ID, Usage: messages.Usage{CostMicros: n, OutputTokens: 7}})
		case "report":
			s.emit(messages.DriverEvent{Kind: messages.DriverToolAsked, Turn: t.ID, Tool: messages.ToolCall{ID: fmt.Sprint(i), Name: "report_result", Input: json.RawMessage(rest)}})
			select {
			case r := <-s.results:
				s.emit(messages.DriverEvent{Kind: messages.DriverSaid, Turn: t.ID, Text: r.Text})
			case <-s.dead:
				return
			}
		case "use": // a tool of the toolbox
			name, input, _ := strings.Cut(rest, " ")
			s.emit(messages.DriverEvent{Kind: messages.DriverToolAsked, Turn: t.ID, Tool: messages.ToolCall{ID: fmt.Sprint(i), Name: name, Input: json.RawMessage(input)}})
			select {
			case r := <-s.results:
				s.emit(messages.DriverEvent{Kind: messages.DriverSaid, Turn: t.ID, Text: r.Text})
			case <-s.dead:
				return
			}
		case "raw":
			s.emit(messages.DriverEvent{Kind: messages.DriverRaw, Turn: t.ID, Text: rest})
		case "linger": // ends the turn for a class, and takes its time to end
			class, rest, _ := strings.Cut(rest, " ")
			s.emit(messages.DriverEvent{Kind: messages.DriverTurnEnded, Turn: t.ID, End: messages.TurnEnd{Class: messages.Class(class), Text: "later"}})
			<-s.dead
			d, _ := time.ParseDuration(rest)
			<-time.After(d)
			return
		case "crash":
			go s.fall(messages.Exit{Code: 1, Class: messages.ClassCrash, Reason: "exit status 1"})
			return
		case "hang": // and how long, when it is told to end
			<-s.dead
			d, _ := time.ParseDuration(rest)
			<-time.After(d)
			return
		}
	}
	s.emit(messages.DriverEvent{Kind: messages.DriverTurnEnded, Turn: t.ID, End: messages.TurnEnd{Text: said, Session: "s1", Border: t.ID}})
}

// send uses the tool; a refusal becomes the next thing that is said.
func (s *session) send(t messages.Turn, id, args string) bool {
	f := strings.SplitN(args, " ", 3)
	f = append(f, "", "")
	meta := map[string]any{}
	words := strings.Fields(f[2])
	for len(words) > 0 {
		last := words[len(words)-1]
		if v, ok := strings.CutPrefix(last, "ttl="); ok {
			n, _ := strconv.Atoi(v)
			meta["ttl"] = n
		} else if v, ok := strings.CutPrefix(last, "prio="); ok {
			meta["priority"] = v
		} else {
			break
		}
		words = words[:len(words)-1]
	}
	input, _ := json.Marshal(map[string]any{"to": f[0], "type": f[1], "content": strings.Join(words, " "), "metadata": meta})
	s.emit(messages.DriverEvent{Kind: messages.DriverToolAsked, Turn: t.ID, Tool: messages.ToolCall{ID: id, Name: "send_message", Input: input}})
	select {
	case r := <-s.results:
		if r.IsError {
			s.emit(messages.DriverEvent{Kind: messages.DriverSaid, Turn: t.ID, Text: r.Text})
		}
		return true
	case <-s.dead:
		return false
	}
}
