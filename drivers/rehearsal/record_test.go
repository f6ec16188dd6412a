package rehearsal_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kurogo/drivers/rehearsal"
	"kurogo/messages"
)

// A history is a journal's tale of one tree, written by hand.
type history struct {
	t      *testing.T
	at     time.Time
	events []messages.Event
	said   []messages.CCMessage
}

func newHistory(t *testing.T) *history {
	t.Helper()
	return &history{t: t, at: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
}

func (h *history) later(d time.Duration) *history { h.at = h.at.Add(d); return h }

func (h *history) tell(kind messages.EventKind, id string, task messages.TaskID, data any) *history {
	h.t.Helper()
	b, err := json.Marshal(data)
	if err != nil {
		h.t.Fatal(err)
	}
	h.events = append(h.events, messages.Event{Seq: int64(len(h.events) + 1), At: h.at, Kind: kind, ID: id, Task: task, Root: "root", Data: b})
	return h
}

// letter is a message that was accepted; its event is cut as the journal cuts it.
func (h *history) letter(id messages.MessageID, task messages.TaskID, from, to messages.Address, kind messages.Type, content string) *history {
	m := messages.CCMessage{ID: id, From: from, To: to, Type: kind, Content: content, Timestamp: h.at}
	m.Metadata.TaskID, m.Metadata.Timestamp, m.Metadata.Priority = task, h.at, messages.Normal
	h.said = append(h.said, m)
	short := messages.Truncated{CCMessage: m}
	short.Content = messages.Cut(content, 100)
	return h.tell(messages.MessageAccepted, string(id), task, short)
}

func (h *history) row(kind messages.EventKind, id messages.MessageID, to messages.Address, task messages.TaskID, why string) *history {
	return h.tell(kind, string(id), task, messages.Delivery{Message: id, To: to, Error: why})
}

func (h *history) given(id messages.MessageID, to messages.Address, task messages.TaskID) *history {
	return h.row(messages.MessageDelivered, id, to, task, "")
}

func (h *history) acked(id messages.MessageID, to messages.Address, task messages.TaskID) *history {
	return h.row(messages.MessageAcked, id, to, task, "")
}

func (h *history) utters(kind messages.EventKind, who messages.Address, text string) *history {
	return h.tell(kind, string(who), "", messages.Utterance{From: who, Text: text})
}

func (h *history) says(who messages.Address, text string) *history {
	return h.utters(messages.PersonaSaid, who, text)
}

func (h *history) is(who messages.Address, state messages.PersonaState) *history {
	return h.tell(messages.PersonaUpdated, string(who), "", messages.Member{Name: who, State: state})
}

func (h *history) task(t messages.Task) *history {
	return h.tell(messages.TaskUpdated, string(t.ID), t.ID, t)
}

// asked begins a tree: the boss is given what the user wants.
func (h *history) asked(content string) *history {
	return h.letter("m1", "root", messages.User, "boss", messages.TaskRequest, content).given("m1", "boss", "root")
}

func (h *history) record() rehearsal.Recording {
	h.t.Helper()
	r, err := rehearsal.Record(h.events, h.said, rehearsal.Redact(nil))
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

// lines are those of the scenes that a persona has, scene by scene.
func lines(r rehearsal.Recording, who messages.Address) (out [][]messages.Line) {
	for _, s := range r.Performance.Scenes {
		if s.Who == who {
			out = append(out, s.Lines)
		}
	}
	return out
}

func TestHowATakeEndsInTheScript(t *testing.T) {
	long := strings.Repeat("long ", 10_000)
	answer := func(content string) messages.Line {
		return messages.Line{Send: &messages.Cue{To: messages.User, Type: messages.TaskComplete, Content: content}}
	}
	for name, c := range map[string]struct {
		tale func(h *history)
		want [][]messages.Line
	}{
		"its answer is what was said last": {
			func(h *history) {
				h.says("boss", "hm").says("boss", "so").acked("m1", "boss", "root").letter("a", "root", "boss", messages.User, messages.TaskComplete, "so")
			},
			[][]messages.Line{{{Say: "hm"}, {Say: "so"}}},
		},
		"its answer is another than what was said last": {
			func(h *history) {
				h.says("boss", "so").acked("m1", "boss", "root").letter("a", "root", "boss", messages.User, messages.TaskComplete, "thus")
			},
			[][]messages.Line{{{Say: "so"}, answer("thus")}},
		},
		"its answer is empty": {
			func(h *history) {
				h.says("boss", "so").acked("m1", "boss", "root").letter("a", "root", "boss", messages.User, messages.TaskComplete, "")
			},
			[][]messages.Line{{{Say: "so"}, answer("")}},
		},
		"an event held only the beginning of its answer": {
			func(h *history) {
				h.says("boss", messages.Cut(long, 32<<10)).acked("m1", "boss", "root").letter("a", "root", "boss", messages.User, messages.TaskComplete, long)
			},
			[][]messages.Line{{{Say: long}}},
		},
		"it answered before all was in": {
			func(h *history) {
				h.says("boss", "so").acked("m1", "boss", "root").letter("m2", "child", "boss", "helper", messages.TaskRequest, "help")
				h.task(messages.Task{ID: "child", Parent: "root", Requester: "boss", Owner: "helper", Status: messages.Cancelled})
				h.letter("a", "root", "boss", messages.User, messages.TaskComplete, "so")
			},
			[][]messages.Line{{{Say: "so"}, {Send: &messages.Cue{To: "helper", Type: messages.TaskRequest, Content: "help"}}, answer("so")}},
		},
		"it said that it failed": {
			func(h *history) {
				h.acked("m1", "boss", "root").letter("a", "root", "boss", messages.User, messages.TaskFailed, "no")
			},
			[][]messages.Line{{{Send: &messages.Cue{To: messages.User, Type: messages.TaskFailed, Content: "no"}}}},
		},
		"it failed for good": {
			func(h *history) {
				h.row(messages.MessageAcked, "m1", "boss", "root", "not logged in").letter("a", "root", "boss", messages.User, messages.TaskFailed, "not logged in")
			},
			[][]messages.Line{{{Fail: "not logged in"}}},
		},
		"it did nothing": {
			func(h *history) { h.acked("m1", "boss", "root") },
			[][]messages.Line{{{Babble: "\n"}}},
		},
		"it fell twice": {
			func(h *history) {
				h.says("boss", "I begin").row(messages.MessageRetried, "m1", "boss", "root", "/bin/claude ended with status 7").given("m1", "boss", "root")
				h.row(messages.MessageRetried, "m1", "boss", "root", "its turn was torn").given("m1", "boss", "root").says("boss", "so").acked("m1", "boss", "root")
			},
			[][]messages.Line{{{Say: "I begin"}, {Crash: 7}}, {{Crash: 1}}, {{Say: "so"}}},
		},
		"a limit was nobody's fault": {
			func(h *history) {
				h.row(messages.MessageParked, "m1", "boss", "root", "429").row(messages.MessageParked, "m9", "boss", "root", "no money").given("m1", "boss", "root")
				h.says("boss", "so").acked("m1", "boss", "root")
			},
			[][]messages.Line{{{Say: "so"}}},
		},
		"somebody cancelled its task": {
			func(h *history) {
				h.says("boss", "hm").letter("a", "root", "boss", messages.User, messages.TaskFailed, "cancelled: enough")
				h.task(messages.Task{ID: "root", Owner: "boss", Requester: messages.User, Status: messages.Cancelled, Result: "cancelled: enough"})
				h.says("boss", "never heard")
			},
			[][]messages.Line{{{Say: "hm"}, {Fail: "cancelled: enough"}}},
		},
		"its task was cancelled from above": {
			func(h *history) {
				h.task(messages.Task{ID: "root", Owner: "boss", Requester: "above", Status: messages.Cancelled})
			},
			[][]messages.Line{{{Wait: 10 * time.Minute, Fail: "its task has ended"}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t).asked("do it")
			c.tale(h)
			r := h.record()
			if d := cmp.Diff(c.want, lines(r, "boss")); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
			if len(r.Notes) > 0 {
				t.Errorf("notes %q", r.Notes)
			}
		})
	}
}

func TestAnAttemptThatCostNothingIsNotCounted(t *testing.T) {
	h := newHistory(t).asked("do it").row(messages.MessageParked, "m1", "boss", "root", "429").given("m1", "boss", "root")
	h.row(messages.MessageRetried, "m1", "boss", "root", "it fell").given("m1", "boss", "root").says("boss", "so").acked("m1", "boss", "root")
	var got []int
	for _, s := range h.record().Performance.Scenes {
		got = append(got, s.Attempt)
	}
	if d := cmp.Diff([]int{1, 0}, got); d != "" {
		t.Error(d)
	}
}

func TestPausesAreKeptWithinBounds(t *testing.T) {
	h := newHistory(t).asked("do it").later(time.Minute).is("boss", messages.PersonaStarting).later(time.Second).is("boss", messages.PersonaWorking)
	h.later(1500*time.Millisecond).says("boss", "soon").later(3*time.Hour).says("boss", "at last")
	for range 40 {
		h.later(time.Minute).says("boss", "again")
	}
	h.acked("m1", "boss", "root")
	got := lines(h.record(), "boss")[0]
	if got[0].Wait != 1500*time.Millisecond || got[1].Wait != 2*time.Second {
		t.Errorf("%v, %v", got[0], got[1])
	}
	var sum time.Duration
	for _, l := range got {
		sum += l.Wait
	}
	if sum != 30*time.Second {
		t.Errorf("%s in all", sum)
	}
}

func TestWhatIsSaidBeforeTheTurnIsGivenAnswersTheRoleCheck(t *testing.T) {
	h := newHistory(t).asked("do it")
	for range 2 { // the first life fell
		h.is("boss", messages.PersonaStarting).says("boss", "I am the boss")
	}
	h.is("boss", messages.PersonaWorking).says("boss", "so").acked("m1", "boss", "root")
	want := []messages.Scene{
		{Name: "1: boss", Who: "boss", On: messages.TaskRequest, From: messages.User, Match: "(?s)^do it$", Lines: []messages.Line{{Say: "so"}}},
		{Name: "role check: boss", Who: "boss", On: messages.Info, From: messages.System, Lines: []messages.Line{{Say: "I am the boss"}}},
	}
	if d := cmp.Diff(want, h.record().Performance.Scenes); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

func TestWhatNoScriptCanSayIsNoted(t *testing.T) {
	refused := func(h *history, id string, code messages.Code) {
		h.tell(messages.MessageRefused, id, "root", messages.Refusal{From: "boss", To: "helper", Type: messages.Info, Code: code})
	}
	h := newHistory(t).asked("do it")
	refused(h, "x1", messages.CodeDenied)
	refused(h, "x2", messages.CodeInvalid) // too long, perhaps
	refused(h, "", messages.CodeDenied)    // in another's name
	h.says("boss", "so: {{content}}").acked("m1", "boss", "root")
	h.letter("m2", "other", "boss", "helper", messages.TaskRequest, "help").letter("m3", "other", "boss", "helper", messages.TaskRequest, "help")
	h.given("m2", "helper", "other").says("helper", "one").acked("m2", "helper", "other")
	h.given("m3", "helper", "other").says("helper", "two").acked("m3", "helper", "other")
	h.letter("m4", "last", "boss", "idler", messages.TaskRequest, "rest").given("m4", "idler", "last")
	r := h.record()
	for i, want := range []string{"1: boss: 2 messages that were refused", "1: boss: it said {{content}}", "idler is still at it", "3: helper: another scene is played"} {
		if len(r.Notes) != 4 || !strings.HasPrefix(r.Notes[i], want) {
			t.Errorf("%q has no note %q", r.Notes, want)
		}
	}
	if got := lines(r, "boss")[0][0].Send; got == nil || got.Expect != messages.CodeDenied || got.To != "helper" || got.Type != messages.Info {
		t.Errorf("%+v", got)
	}
}

// Answers that come together come in any order, and who recognises them must
// not care. One that the journal wrote itself will be worded in another way.
func TestAnswersAreRecognisedInAnyOrder(t *testing.T) {
	h := newHistory(t).asked("do it").acked("m1", "boss", "root")
	h.row(messages.MessageDead, "m7", "c", "dead", "/tmp/x ended with status 1")
	for id, a := range map[messages.MessageID]struct {
		task messages.TaskID
		kind messages.Type
		text string
	}{"r1": {"t1", messages.TaskComplete, "one.\n(1+1)"}, "r2": {"t2", messages.TaskComplete, strings.Repeat("two ", 3000)}, "r3": {"dead", messages.TaskFailed, "/tmp/x ended with status 1"}} {
		h.letter(id, a.task, "helper", "boss", a.kind, a.text)
	}
	for _, id := range []messages.MessageID{"r1", "r2", "r3"} {
		h.given(id, "boss", "root")
	}
	h.says("boss", "so").acked("r1", "boss", "root")
	r := h.record()
	s := r.Performance.Scenes[1]
	if s.On != "" || s.From != "helper" || len(s.Match) > 5000 || len(r.Notes) > 0 {
		t.Fatalf("%+v, %q", s, r.Notes)
	}
	two := strings.Repeat("two ", 3000)
	for text, want := range map[string]bool{
		"one.\n(1+1)\n" + two + "\nelsewhere ended with status 3": true,
		two + "\nelsewhere was ended\none.\n(1+1)":                true,
		"one.\n(1+1)": false,
	} {
		th := open(t, "", rehearsal.Effects{}, messages.Scene{Match: s.Match, Lines: s.Lines}, messages.Scene{Lines: say("who are you?")})
		th.turn(1, text)
		if want {
			th.hears(says("so"), ends("so", ""))
		} else {
			th.hears(says("who are you?"))
		}
	}
}

// What is hidden is hidden wherever it was said, and recognised as it is then.
func TestNothingHiddenIsTold(t *testing.T) {
	const secret = "sk-abcdefgh12345678"
	h := newHistory(t).asked("use "+secret).utters(messages.PersonaThought, "boss", "hm, "+secret).says("boss", "so: "+secret)
	h.is("boss", messages.PersonaStarting).says("boss", "I am "+secret).is("boss", messages.PersonaWorking).acked("m1", "boss", "root")
	h.letter("m2", "child", "boss", "helper", messages.TaskRequest, "with "+secret)
	h.said[1].Thinking = "why: " + secret
	h.letter("a", "root", "boss", messages.User, messages.TaskComplete, "then "+secret)
	h.given("m2", "helper", "child").row(messages.MessageAcked, "m2", "helper", "child", "no "+secret)
	r := h.record()
	if text := fmt.Sprintf("%+v", all(r)); strings.Contains(text, secret) || strings.Count(text, "[redacted]") != 10 {
		t.Errorf("%d: %s", strings.Count(text, "[redacted]"), text)
	}
	if got := r.Performance.Scenes[1].Match; got != `(?s)^with \[redacted\]$` {
		t.Errorf("recognised by %s", got)
	}
}

// all is every text of a recording.
func all(r rehearsal.Recording) (texts []string) {
	texts = append(texts, r.Performance.Title, r.Performance.Task)
	for _, s := range r.Performance.Scenes {
		texts = append(texts, strings.ReplaceAll(s.Match, `\`, ""))
		for _, l := range s.Lines {
			texts = append(texts, l.Think, l.Say, l.Answer, l.Fail)
			if l.Send != nil {
				texts = append(texts, l.Send.Content, l.Send.Thinking)
			}
		}
	}
	return texts
}
