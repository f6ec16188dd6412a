package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kurogo/config"
	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

// What kurogo.toml says of a model that is called directly reaches the service.
func TestAModelIsCalledAsItIsConfigured(t *testing.T) {
	model := modeltest.New(t)
	model.Add(modeltest.Turn(modeltest.Anybody, modeltest.Step{Text: "Good."}))
	dir := t.TempDir()
	text := "[drivers.mine]\nkind = \"hermes\"\napi = \"openai\"\nendpoint = \"" + model.URL + "/v1\"\napi_key_env = \"MINE_KEY\"\nmodel = \"scripted\"\nmax_tokens = 77\nenv = { MINE_KEY = \"test-key\" }\n" +
		"[roles.small]\nname = \"small\"\ndriver = \"mine\"\n"
	if err := os.WriteFile(filepath.Join(dir, "kurogo.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(config.Source{Dir: dir, Overrides: map[string]string{"driver": "rehearsal"}})
	if err != nil {
		t.Fatal(err)
	}
	d, err := chooseDrivers(cfg, site{project: dir, state: dir})
	if err != nil {
		t.Fatal(err)
	}
	s, err := d.of("mine").Start(t.Context(), messages.Spec{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop(t.Context())
	if err := s.Send(t.Context(), messages.Turn{ID: "1", Text: "Hello."}); err != nil {
		t.Fatal(err)
	}
	for e := range s.Events() {
		if e.Kind != messages.DriverTurnEnded {
			continue
		}
		if e.End.Text != "Good." || e.End.Class != messages.ClassNone {
			t.Errorf("end %+v", e.End)
		}
		break
	}
	r := model.Requests()[0]
	if body := string(r.Body); !strings.Contains(body, `"max_tokens":77`) || !strings.Contains(body, `"temperature":0`) || r.Model != "scripted" || r.Header.Get("Authorization") != "Bearer test-key" {
		t.Errorf("asked with %s and %v", body, r.Header)
	}
	if craft := d.crafts(cfg, nil)["mine"]; !craft.InBand || craft.Reserve("small") != 0 {
		t.Errorf("%+v", craft)
	}
}
