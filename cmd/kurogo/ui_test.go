package main_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"kurogo/messages"
)

// A spectator is a browser that was given an address by kurogo ui.
type spectator struct {
	*theatre
	http *http.Client
	base string
}

func newSpectator(t *testing.T) *spectator {
	t.Helper()
	v := &spectator{theatre: newTheatre(t)}
	config := "language = \"en\"\ndriver = \"rehearsal\"\n[server]\nlisten = \"127.0.0.1:0\"\nmcp_websocket_listen = \"\"\n"
	if err := os.WriteFile(filepath.Join(v.project, "kurogo.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.run("stop") })
	v.enter()
	return v
}

// enter follows the address, as a browser does that has never been here.
func (v *spectator) enter() {
	v.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		v.Fatal(err)
	}
	v.http = &http.Client{Jar: jar, Transport: &http.Transport{DisableKeepAlives: true}}
	address := strings.TrimSpace(v.run("ui", "--no-browser", "grand_boss"))
	v.base, _, _ = strings.Cut(address, "/login?")
	answer, err := v.http.Get(address)
	if err != nil {
		v.Fatal(err)
	}
	body, _ := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if answer.StatusCode != 200 || answer.Request.URL.Path != "/flow" || !strings.Contains(string(body), "<title>Kurogo</title>") {
		v.Fatalf("%s leads to %s: %d, %s", address, answer.Request.URL, answer.StatusCode, body)
	}
}

func (v *spectator) status(c *http.Client, path string) int {
	v.Helper()
	answer, err := c.Get(v.base + path)
	if err != nil {
		v.Fatal(err)
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}

// socket opens the page's socket, with the browser's cookie from the page origin.
func (v *spectator) socket(origin, query string) (*websocket.Conn, int) {
	v.Helper()
	d := websocket.Dialer{Jar: v.http.Jar}
	ws, answer, err := d.DialContext(v.Context(), "ws"+strings.TrimPrefix(v.base, "http")+"/ws"+query, http.Header{"Origin": {origin}})
	if answer == nil {
		v.Fatal(err)
	}
	if err == nil {
		v.Cleanup(func() { _ = ws.Close() })
		_ = ws.SetReadDeadline(time.Now().Add(time.Minute))
	}
	return ws, answer.StatusCode
}

// A scene is a frame, as far as this test looks at it.
type scene struct {
	Type, Epoch, ID string
	Seq             int64
	Resumed, OK     bool
	Data            json.RawMessage
	Ev              []struct {
		Seq  int64
		Type messages.EventKind
		ID   string
	}
}

// until reads frames up to one that is wanted.
func (v *spectator) until(ws *websocket.Conn, wanted func(scene) bool) scene {
	v.Helper()
	for {
		var s scene
		if err := ws.ReadJSON(&s); err != nil {
			v.Fatal(err)
		}
		if wanted(s) {
			return s
		}
	}
}

// A person opens the address that kurogo ui prints, sees the stage, steers it over
// the one socket, and goes on where he was when kurogo comes back.
func TestTheDashboard(t *testing.T) {
	t.Parallel()
	v := newSpectator(t)
	stranger := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for path, want := range map[string][2]int{ // for a stranger, for the spectator
		"/": {200, 200}, "/agents/x": {200, 200}, "/theme.js": {200, 200}, "/assets/nope.js": {404, 404}, "/healthz": {200, 200},
		"/api/groups": {401, 200}, "/api/nope": {401, 404}, "/metrics": {401, 200}, "/ws": {401, 426}, "/mcp": {401, 405},
	} {
		if got := [2]int{v.status(stranger, path), v.status(v.http, path)}; got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	for _, foreign := range []string{"https://evil.example", "null", "http://127.0.0.1:1"} {
		if _, status := v.socket(foreign, ""); status != http.StatusForbidden {
			t.Errorf("the socket is %d for %s", status, foreign)
		}
	}

	ws, _ := v.socket(v.base, "")
	hello := v.until(ws, func(s scene) bool { return s.Type == "hello" })
	s := v.until(ws, func(s scene) bool { return s.Type == "snapshot" })
	var there struct {
		Crew   []messages.Member
		Status messages.Status
	}
	if err := json.Unmarshal(s.Data, &there); err != nil || hello.Resumed || s.Epoch != hello.Epoch || len(there.Crew) == 0 || there.Status.Store != hello.Epoch {
		t.Errorf("got %+v and %+v, %v", hello, there, err)
	}
	if err := ws.WriteMessage(websocket.TextMessage, []byte(`{"type":"call","id":"1","tool":"create_group","input":{"description":"seen from here"}}`)); err != nil {
		t.Fatal(err)
	}
	var group string
	var made int64
	v.until(ws, func(s scene) bool { // the ack and the event come in any order
		if s.ID == "1" {
			var made messages.Group
			_ = json.Unmarshal(s.Data, &made) // without an id we wait in vain
			group = string(made.ID)
		}
		for _, e := range s.Ev {
			if e.Type == messages.GroupCreated {
				made = e.Seq
			}
		}
		return group != "" && made > 0
	})

	v.run("stop")
	var err error
	for err == nil {
		_, _, err = ws.ReadMessage()
	}
	if !websocket.IsCloseError(err, websocket.CloseGoingAway) {
		t.Errorf("the socket ends with %v", err)
	}
	v.enter()
	ws, _ = v.socket(v.base, fmt.Sprintf("?epoch=%s&since=%d", hello.Epoch, made-1))
	if hello := v.until(ws, func(s scene) bool { return s.Type == "hello" }); !hello.Resumed {
		t.Errorf("got %+v", hello)
	}
	again := v.until(ws, func(s scene) bool { return s.Type == "batch" })
	if e := again.Ev[0]; e.Seq != made || e.ID != group {
		t.Errorf("it goes on with %+v, want %d of %s", e, made, group)
	}
}
