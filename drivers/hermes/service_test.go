package hermes_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"kurogo/drivers/hermes"
	"kurogo/drivers/modeltest"
	"kurogo/messages"
)

// What a service answers decides what follows.
func TestWhatTheServiceAnswers(t *testing.T) {
	for _, w := range ways {
		for name, c := range map[string]struct {
			step  modeltest.Step
			class messages.Class
			text  string
			wait  time.Duration
		}{
			"401":           {modeltest.Step{Status: 401}, messages.ClassAuth, "api_key_env", 0},
			"403":           {modeltest.Step{Status: 403}, messages.ClassAuth, "", 0},
			"429":           {modeltest.Step{Status: 429, RetryAfter: 7}, messages.ClassRate, "", 7 * time.Second},
			"429 for ever":  {modeltest.Step{Status: 429, RetryAfter: 1 << 40}, messages.ClassRate, "", 24 * time.Hour},
			"500":           {modeltest.Step{Status: 500, Message: "the runner fell"}, messages.ClassServer, "the runner fell", 0},
			"503":           {modeltest.Step{Status: 503, RetryAfter: 2}, messages.ClassServer, "", 2 * time.Second},
			"529":           {modeltest.Step{Status: 529}, messages.ClassRate, "", 0},
			"400":           {modeltest.Step{Status: 400, Message: "too long"}, messages.ClassInvalid, "too long", 0},
			"404":           {modeltest.Step{Status: 404, Message: "model 'x' not found"}, messages.ClassInvalid, "model 'x' not found. Remedy: ", 0},
			"half a stream": {modeltest.Step{Text: "half of what was to be said", Cut: true}, messages.ClassServer, "", 0},
		} {
			l, _ := w.scripted(t, messages.Spec{Tools: tools("read_file")}, c.step)
			end := l.Turn("Work.")
			if end.Class != c.class || !strings.Contains(end.Text, c.text) || end.Text == "" || end.RetryAfter != c.wait {
				t.Errorf("%s, %s: end %+v", w.name, name, end)
			}
		}
	}
	l, _ := ways[0].scripted(t, messages.Spec{}, modeltest.Step{Status: 404, Message: "model 'x' not found"})
	if end := l.Turn("Work."); !strings.Contains(end.Text, "ollama pull") {
		t.Errorf("end %+v", end)
	}
}

// A key comes from a variable, goes to its own service, and is told nobody else.
func TestAKeyIsSentAndNeverTold(t *testing.T) {
	const key = "canary-of-a-key"
	var sent []string
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent = append(sent, r.Header.Get("Authorization"))
		http.Error(w, `{"error":{"message":"the key `+key+` is not taken"}}`, http.StatusUnauthorized)
	}))
	defer service.Close()
	t.Setenv("MODEL_KEY", key)
	l := begin(t, hermes.Options{Endpoint: service.URL, API: hermes.OpenAI, KeyVariable: "MODEL_KEY"}, messages.Spec{Raw: true})
	end := l.Turn("Work.")
	if end.Class != messages.ClassAuth || strings.Contains(end.Text, key) || !strings.Contains(end.Text, "MODEL_KEY") {
		t.Errorf("end %+v", end)
	}
	l = begin(t, hermes.Options{Endpoint: service.URL, API: hermes.OpenAI, KeyVariable: "MODEL_KEY"}, messages.Spec{Env: map[string]string{"MODEL_KEY": "of-its-caller"}})
	l.Turn("Work.")
	t.Setenv("OPENAI_API_KEY", "of-openai")
	l = begin(t, hermes.Options{Endpoint: service.URL, API: hermes.OpenAI}, messages.Spec{})
	l.Turn("Work.")
	if want := []string{"Bearer " + key, "Bearer of-its-caller", ""}; !slices.Equal(sent, want) {
		t.Errorf("sent %q", sent)
	}
	l = begin(t, hermes.Options{Endpoint: service.URL, KeyVariable: "OPENAI_API_KEY"}, messages.Spec{}) // an Ollama somewhere
	if l.Turn("Work."); sent[len(sent)-1] != "" || len(sent) != 4 {
		t.Errorf("OpenAI's key went to an Ollama: %q", sent)
	}
	_, err := hermes.New(hermes.Options{Endpoint: service.URL, API: hermes.OpenAI, KeyVariable: "NO_SUCH_KEY"}).Probe(t.Context())
	if !messages.IsCode(err, messages.CodeUnavailable) || !strings.Contains(err.Error(), "NO_SUCH_KEY") {
		t.Errorf("without a key: %v", err)
	}
	_, err = hermes.New(hermes.Options{Endpoint: service.URL, API: hermes.OpenAI, KeyVariable: "MODEL_KEY"}).Probe(t.Context())
	if !messages.IsCode(err, messages.CodeUnavailable) || strings.Contains(err.Error(), key) {
		t.Errorf("with a wrong one: %v", err)
	}
}

// Nothing that goes to this machine goes by a proxy.
func TestThisMachineIsNotReachedByAProxy(t *testing.T) {
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "ALL_PROXY"} {
		t.Setenv(name, "http://127.0.0.1:1")
	}
	l, _ := ways[0].scripted(t, messages.Spec{}, modeltest.Step{Text: "Good."})
	if end := l.Turn("Work."); end.Text != "Good." {
		t.Errorf("end %+v", end)
	}
}

func TestProbeSaysWhatThereIs(t *testing.T) {
	model := modeltest.New(t)
	model.Have("llama3.2:latest", "qwen3:8b")
	for api, want := range map[string][]string{
		hermes.Ollama: {"llama3.2:latest", "llama3.2", "qwen3:8b"},
		hermes.OpenAI: {"llama3.2:latest", "qwen3:8b"},
	} {
		caps, err := hermes.New(hermes.Options{Endpoint: model.URL, API: api}).Probe(t.Context())
		if err != nil || !slices.Equal(caps.Models, want) {
			t.Errorf("%s: %+v, %v", api, caps, err)
		}
		if !caps.LongLived || !caps.InBandTools || !caps.Interrupt || !caps.Schema || !caps.Resume || caps.Cost || caps.MCP {
			t.Errorf("%s: %+v", api, caps)
		}
	}
	for endpoint, api := range map[string]string{
		"": hermes.Ollama, "/api/chat": hermes.Ollama, "/v1/": hermes.Ollama, "/v1/chat/completions": hermes.OpenAI,
	} {
		if caps, err := hermes.New(hermes.Options{Endpoint: model.URL + endpoint, API: api}).Probe(t.Context()); err != nil || len(caps.Models) == 0 {
			t.Errorf("%q: %+v, %v", endpoint, caps, err)
		}
	}
	silent := httptest.NewServer(http.NotFoundHandler())
	defer silent.Close()
	if caps, err := hermes.New(hermes.Options{Endpoint: silent.URL, API: hermes.OpenAI}).Probe(t.Context()); err != nil || caps.Models != nil {
		t.Errorf("a service that lists nothing: %+v, %v", caps, err)
	}
	if _, err := hermes.New(hermes.Options{Endpoint: silent.URL}).Probe(t.Context()); !messages.IsCode(err, messages.CodeUnavailable) {
		t.Errorf("a service that is no Ollama: %v", err)
	}
	_, err := hermes.New(hermes.Options{Endpoint: "http://127.0.0.1:1"}).Probe(t.Context())
	if !messages.IsCode(err, messages.CodeUnavailable) || !strings.Contains(err.Error(), "ollama serve") {
		t.Errorf("nobody there: %v", err)
	}
}

func TestOptionsThatCannotWork(t *testing.T) {
	for name, c := range map[string]struct {
		o     hermes.Options
		spec  messages.Spec
		field string
	}{
		"no address":          {hermes.Options{Endpoint: "localhost:11434"}, messages.Spec{Model: "m"}, "endpoint"},
		"a file":              {hermes.Options{Endpoint: "file:///etc/passwd"}, messages.Spec{Model: "m"}, "endpoint"},
		"a secret within":     {hermes.Options{Endpoint: "http://me:secret@127.0.0.1:1"}, messages.Spec{Model: "m"}, "endpoint"},
		"more than that":      {hermes.Options{Endpoint: "http://127.0.0.1:1/?key=secret"}, messages.Spec{Model: "m"}, "endpoint"},
		"another API":         {hermes.Options{API: "grpc"}, messages.Spec{Model: "m"}, "api"},
		"no model":            {hermes.Options{}, messages.Spec{}, "model"},
		"no schema":           {hermes.Options{}, messages.Spec{Model: "m", Schema: []byte(`{"type":7}`)}, "schema"},
		"a schema that reads": {hermes.Options{}, messages.Spec{Model: "m", Schema: []byte(`{"$ref":"file:///etc/hostname"}`)}, "schema"},
		"a missing directory": {hermes.Options{}, messages.Spec{Model: "m", Dir: "/no/such/directory"}, "dir"},
	} {
		_, err := hermes.New(c.o).Start(t.Context(), c.spec)
		if e := messages.AsError(err); e == nil || e.Code != messages.CodeInvalid || e.Field != c.field || strings.Contains(e.Error(), "secret@") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What the options say reaches the service.
func TestWhatAModelIsAskedWith(t *testing.T) {
	warm := 0.2
	for _, w := range []way{ways[0], ways[2]} {
		model := modeltest.New(t)
		o := w.options(model)
		o.Temperature, o.MaxTokens, o.ContextTokens = &warm, 77, 4321
		begin(t, o, messages.Spec{Model: "m-1"}).Turn("Work.")
		body := string(model.Requests()[0].Body)
		want := []string{`"num_ctx":4321`, `"num_predict":77`, `"temperature":0.2`, `"stream":true`, `"model":"m-1"`}
		if w.api == hermes.OpenAI {
			want = []string{`"max_tokens":77`, `"temperature":0.2`, `"include_usage":true`, `"model":"m-1"`}
		}
		for _, part := range want {
			if !strings.Contains(body, part) {
				t.Errorf("%s: no %s in %s", w.name, part, body)
			}
		}
	}
}

// Some services stream nothing, whatever they are asked for.
func TestAnAnswerThatComesWhole(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = w.Write([]byte("{\n \"choices\": [{\n  \"message\": {\"content\": \"Good.\"}, \"finish_reason\": \"stop\"}],\n \"usage\": {\"prompt_tokens\": 7, \"completion_tokens\": 5, \"prompt_tokens_details\": {\"cached_tokens\": 3}}\n}\n"))
	}))
	defer service.Close()
	l := begin(t, hermes.Options{Endpoint: service.URL + "/v1"}, messages.Spec{})
	if end := l.Turn("Work."); end.Text != "Good." {
		t.Errorf("end %+v", end)
	}
	for _, e := range l.Heard {
		if e.Kind == messages.DriverUsed && e.Usage != (messages.Usage{InputTokens: 4, OutputTokens: 5, CachedTokens: 3}) {
			t.Errorf("used %+v", e.Usage)
		}
	}
}

// A service may leave and come back between two turns.
func TestAServiceThatHasGone(t *testing.T) {
	service := httptest.NewServer(http.NotFoundHandler())
	l := begin(t, hermes.Options{Endpoint: service.URL}, messages.Spec{})
	service.Close()
	if end := l.Turn("Work."); end.Class != messages.ClassMissing || !strings.Contains(end.Text, "ollama serve") {
		t.Errorf("end %+v", end)
	}
}
