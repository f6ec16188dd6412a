package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kurogo/messages"
)

// The real program posts to the webhook of its configuration when a task has
// ended; without one nobody is told anything.
func TestServeTellsItsWebhook(t *testing.T) {
	t.Parallel()
	type posted struct{ Event, Kind, ID, Status, URL, Project string }
	heard := make(chan posted, 16)
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var p posted
		if err := json.NewDecoder(r.Body).Decode(&p); err != nil || r.Method != http.MethodPost || r.URL.Path != "/hook" {
			t.Errorf("%s %s: %v", r.Method, r.URL, err)
		}
		heard <- p
	}))
	defer hook.Close()
	th := newTheatre(t)
	conf := fmt.Sprintf("language = \"en\"\ndriver = \"rehearsal\"\nhealth_check = \"off\"\n[server]\nlisten = \"127.0.0.1:0\"\nmcp_websocket_listen = \"\"\n[notify]\nwebhook = %q\non = [\"finish\"]\n", hook.URL+"/hook")
	if err := os.WriteFile(filepath.Join(th.project, "kurogo.toml"), []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	o := th.serve()
	defer o.kill()
	task := must[messages.Accepted](th, messages.Submit{Message: messages.CCMessage{
		ID: messages.MessageID(messages.NewID()), From: messages.User, Type: messages.TaskRequest, Content: "Sew me a noren, a shop curtain for the terminal.",
	}}).Task
	late := time.After(patience)
	for {
		select {
		case p := <-heard:
			if p.Event != "finish" || p.Project != th.project {
				t.Errorf("%+v", p)
			}
			if p.ID != string(task) {
				continue
			}
			address := "http://" + must[messages.Status](th, messages.GetStatus{}).HTTP
			if want := (posted{"finish", "task", string(task), "completed", address + "/tasks/" + string(task), th.project}); p != want {
				t.Errorf("told %+v, want %+v", p, want)
			}
			return
		case <-late:
			t.Fatal("nobody was told")
		}
	}
}
