package cursor_test

import (
	"fmt"
	"os"
	"strings"
	"time"

	"kurogo/drivers/drivertest"
)

// turn is the only turn of the fake.
func (f *faker) turn(told <-chan os.Signal) {
	switch b := drivertest.Behaviour(f.as); b {
	case drivertest.Fails:
		f.passage(drivertest.First)
		f.result(map[string]any{"subtype": "error", "is_error": true, "result": "400 Bad Request: " + drivertest.Last})
		os.Exit(1)
	case drivertest.Dawdles, drivertest.Deaf, drivertest.Shuts:
		f.passage(drivertest.First)
		if b == drivertest.Shuts {
			_ = os.Stdout.Close()
		}
		<-time.After(time.Hour)
	case drivertest.Tardy:
		f.passage(drivertest.First)
		<-told
		f.ends(drivertest.Last)
		return
	case drivertest.Floods:
		for range drivertest.Many {
			f.assistant(drivertest.First, map[string]any{"timestamp_ms": 1})
			f.assistant(drivertest.First, map[string]any{"timestamp_ms": 1, "model_call_id": "c"})
		}
		f.ends(drivertest.Last)
		return
	case drivertest.Crashes, drivertest.Quits:
		f.passage(drivertest.First)
		if b == drivertest.Crashes {
			os.Exit(drivertest.Status)
		}
		return
	case drivertest.Breeds:
		breed()
	default:
		drivertest.Blurt(b, `{"type":"result","subtype":`, `{"type":"result","subtype":7}`)
		if f.chaos() {
			return
		}
	}
	f.think()
	f.passage(drivertest.First)
	f.tool("tool_1\nfc_2", "readToolCall", map[string]string{"path": "file.txt"}, map[string]any{"success": map[string]any{"content": "…", "totalLines": 54}})
	f.ends(drivertest.Last)
	drivertest.Part(drivertest.Behaviour(f.as))
}

// chaos reports whether that was the whole turn.
func (f *faker) chaos() bool {
	if what, ok := strings.CutPrefix(f.as, complains); ok {
		drivertest.Complain(1, what)
	}
	if what, ok := strings.CutPrefix(f.as, grumbles); ok {
		fmt.Println(what)
		return true
	}
	if what, ok := strings.CutPrefix(f.as, errs); ok {
		f.result(map[string]any{"subtype": "error", "is_error": true, "result": what})
		os.Exit(1)
	}
	switch f.as {
	case mirrors:
		f.passage("It is 401 words long.")
		os.Exit(1)
	case tells:
		f.result(map[string]any{"result": strings.Join(append(os.Environ(), f.args...), "\n")})
		return true
	case writes:
		f.tool("1", "writeToolCall", map[string]string{"path": "a.txt", "fileText": "a"}, map[string]any{"success": map[string]any{"path": "/abs/a.txt", "linesCreated": 1, "fileSize": 1}})
		f.tool("2", "editToolCall", map[string]string{"path": "b.txt", "streamContent": "b"}, map[string]any{"success": map[string]any{}})
		f.tool("3", "deleteToolCall", map[string]string{"path": "c.txt"}, map[string]any{"success": map[string]any{"path": "c.txt"}})
		f.tool("4", "editToolCall", map[string]string{"path": "d.txt"}, map[string]any{"error": map[string]string{"error": "no"}})
		f.tool("5", "shellToolCall", map[string]string{"command": "true"}, map[string]any{"rejected": map[string]string{"reason": "not in the allow-list"}})
		f.ends("It is done.")
		return true
	}
	return false
}
