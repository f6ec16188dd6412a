package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kurogo/messages"
	"kurogo/transport/mcp"
)

const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

func call(id any, tool string, arguments string) string {
	raw, _ := json.Marshal(id)
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, raw, tool, arguments)
}

// Whatever comes in, what goes out is JSON-RPC, and the next message is served.
func TestNonsenseIsAnswered(t *testing.T) {
	for _, c := range []struct {
		name, line string
		code       int
		id         any
	}{
		{"no JSON", `hello`, -32700, nil},
		{"half of it", `{"jsonrpc":"2.0","id":1`, -32700, nil},
		{"two at once", list + list, -32700, nil},
		{"a batch", "[" + list + "," + list + "]", -32600, nil},
		{"an empty batch", "[]", -32600, nil},
		{"a number", "7", -32600, nil},
		{"null", "null", -32600, nil},
		{"no version", `{"id":1,"method":"ping"}`, -32600, 1.0},
		{"a wrong version", `{"jsonrpc":"1.0","id":"a","method":"ping"}`, -32600, "a"},
		{"no method", `{"jsonrpc":"2.0","id":5}`, -32600, 5.0},
		{"a method that is no word", `{"jsonrpc":"2.0","id":5,"method":5}`, -32600, nil},
		{"an id that is an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600, nil},
		{"an id that is true", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, -32600, nil},
		{"an unknown method", `{"jsonrpc":"2.0","id":5,"method":"rm"}`, -32601, 5.0},
		{"an unknown tool", call(6, "rm", "{}"), -32602, 6.0},
		{"params that are none", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[1]}`, -32600, 7.0},
		{"too much", call(1, "echo", `{"text":"`+strings.Repeat("x", 5<<20)+`"}`), -32600, nil},
		{"deep", strings.Repeat("[", 1<<20), -32700, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			says, hears, _ := pipe(t, newServer(t, mcp.Options{}), messages.Caller{})
			talk := newTalk(t, says, hears)
			got := talk.ask(c.line)
			if got.Error == nil || got.Error.Code != c.code || got.ID != c.id || got.Error.Message == "" {
				t.Errorf("got %+v of %+v", got.Error, got)
			}
			if got := talk.ask("\r\n \n" + call("next", "echo", `{"text":"x"}`) + "\r"); got.ID != "next" || got.Error != nil {
				t.Errorf("afterwards: %+v", got)
			}
		})
	}
}

// Answers to nothing, and notifications of anything, are heard and not answered.
func TestWhatNeedsNoAnswer(t *testing.T) {
	says, hears, _ := pipe(t, newServer(t, mcp.Options{}), messages.Caller{})
	talk := newTalk(t, says, hears)
	for _, quiet := range []string{
		`{"jsonrpc":"2.0","id":"kurogo-1","result":{}}`,
		`{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"no"}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}`,
		`{"jsonrpc":"2.0","method":"notifications/whatever","params":[]}`,
	} {
		talk.say(quiet + "\n")
	}
	if got := talk.ask(list); got.ID != 1.0 || got.Result == nil {
		t.Errorf("got %+v", got)
	}
}

// An id comes back as it was sent, digit for digit.
func TestIdsComeBackAsTheyWere(t *testing.T) {
	says, hears, _ := pipe(t, newServer(t, mcp.Options{}), messages.Caller{})
	talk := newTalk(t, says, hears)
	for _, id := range []string{"0", "-1", "9007199254740993", "1e3", "1.50", `"a"`, `"\u9ed2"`} {
		talk.say(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` + "\n")
		raw, err := talk.hears.ReadBytes('\n')
		if err != nil || !strings.Contains(string(raw), `"id":`+id+`,`) {
			t.Errorf("%s: got %s, %v", id, raw, err)
		}
	}
}

// The last line needs no end, and what it asked is answered.
func TestTheLastLineIsTaken(t *testing.T) {
	says, hears, ended := pipe(t, newServer(t, mcp.Options{}), messages.Caller{})
	talk := newTalk(t, says, hears)
	go func() {
		_, _ = io.WriteString(says, call(1, "echo", `{"text":"last words"}`))
		_ = says.Close()
	}()
	if got := talk.next(); !strings.Contains(string(got.Result), "last words") {
		t.Errorf("got %+v", got)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// When the pipe ends the waits end with it, within a second, and so they do when
// somebody stops us.
func TestTheEndOfThePipe(t *testing.T) {
	for name, end := range map[string]func(says io.Closer, stop func()){
		"the client goes": func(says io.Closer, _ func()) { _ = says.Close() },
		"we are stopped":  func(_ io.Closer, stop func()) { stop() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				s := mcp.New(mcp.Options{Catalogue: f})
				in, says := io.Pipe()
				var out strings.Builder
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				ended := make(chan error, 1)
				go func() { ended <- s.ServeStdio(ctx, in, &out, messages.Caller{}) }()
				for i := range 10 {
					_, _ = io.WriteString(says, call(i, "wait_agent", "{}")+"\n")
					<-f.waiting
				}
				began := time.Now()
				end(says, stop)
				if err := <-ended; err != nil {
					t.Error(err)
				}
				if took := time.Since(began); took > time.Second {
					t.Errorf("it took %v", took)
				}
				for range 10 {
					if err := <-f.left; err == nil {
						t.Error("a wait ended well")
					}
				}
				if out.Len() != 0 {
					t.Errorf("it said %s", out.String())
				}
				_ = says.Close()
				s.Close()
			})
		})
	}
}

// A client that no longer reads holds back neither the end nor anybody else.
func TestAClientThatDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := mcp.New(mcp.Options{Catalogue: newFake()})
		in, says := io.Pipe()
		deaf, out := io.Pipe()
		ended := make(chan error, 1)
		go func() { ended <- s.ServeStdio(t.Context(), in, out, messages.Caller{}) }()
		for i := range 20 {
			_, _ = io.WriteString(says, call(i, "echo", `{"text":"x"}`)+"\n")
		}
		began := time.Now()
		_ = says.Close()
		<-ended
		if took := time.Since(began); took > time.Second {
			t.Errorf("it took %v", took)
		}
		_ = deaf.Close()
		s.Close()
	})
}

// A line is read whole or not at all, whatever its length.
func TestLines(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"a", []string{"a"}},
		{"a\n\n  \r\nb\r\n", []string{"a", "b"}},
		{"12345678\n123456789\n12345678", []string{"12345678", "!", "12345678"}},
		{"123456789", []string{"!"}},
		{strings.Repeat("x", 1<<20) + "\nok\n", []string{"!", "ok"}},
	} {
		if got := mcp.Lines(c.in, 8); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%.20q: got %q, want %q", c.in, got, c.want)
		}
	}
}

// Every line is read once, in order, and none that is longer than it may be.
func FuzzLines(f *testing.F) {
	f.Add("a\nb", 3)
	f.Add("aaaa\r\n\nb\n", 2)
	f.Fuzz(func(t *testing.T, in string, most int) {
		most = 1 + (most&0xff)*17
		var want []string
		for line := range strings.SplitAfterSeq(in, "\n") {
			if len(strings.TrimSuffix(line, "\n")) > most {
				want = append(want, "!")
			} else if trimmed := strings.TrimSpace(line); trimmed != "" {
				want = append(want, trimmed)
			}
		}
		if got := mcp.Lines(in, most); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Errorf("%q at most %d: got %q, want %q", in, most, got, want)
		}
	})
}

// Whatever a message is, it is one of three things or a fault.
func FuzzOpen(f *testing.F) {
	for _, seed := range []string{list, `{"jsonrpc":"2.0","id":"x","result":{}}`, `{"jsonrpc":"2.0","method":"x"}`, "[]", "{", `{"id":null}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		asks, answers, fault := mcp.Open(raw)
		switch {
		case fault != 0 && (asks || answers):
			t.Errorf("%q is a fault and more", raw)
		case asks && answers:
			t.Errorf("%q is both", raw)
		case fault == 0 && !json.Valid(raw):
			t.Errorf("%q was taken", raw)
		}
	})
}
