package local_test

import (
	"bufio"
	"context"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"kurogo/messages"
	"kurogo/transport/local"
)

// Another schema is refused, and the refusal names both. An older owner that
// nobody needs makes room for a newer client; a busy one stays.
func TestAnotherSchemaIsRefused(t *testing.T) {
	idle := func(context.Context, messages.Message) (messages.Message, error) { return messages.Done{}, nil }
	busy := func(context.Context, messages.Message) (messages.Message, error) {
		return nil, messages.Errorf(messages.CodeConflict, "2 tasks are open")
	}
	for name, story := range map[string]struct {
		client local.Hello
		ask    func(context.Context, messages.Message) (messages.Message, error)
		remedy string
		again  time.Duration
	}{
		"a newer client, an idle owner": {local.Hello{Version: "v2", Schema: 4}, idle, "leaves now", time.Second},
		"a newer client, a busy owner":  {local.Hello{Version: "v2", Schema: 4}, busy, "kurogo stop", 0},
		"an older client":               {local.Hello{Version: "v0", Schema: 2}, nil, "use the newer", 0},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			d, _, _ := serve(t, house{ask: func(ctx context.Context, m messages.Message) (messages.Message, error) {
				if m != messages.Message(messages.StopHouse{IfIdle: true}) {
					t.Errorf("the house was asked %v", m)
				}
				asked++
				return story.ask(ctx, m)
			}}, local.Options{})
			_, err := local.Connect(t.Context(), d.knock(t), story.client)
			wantCode(t, err, messages.CodeUnavailable, "v1 (schema 3)", story.client.Version, story.remedy)
			if again := messages.AsError(err).RetryAfter; again != story.again {
				t.Errorf("try again after %v, want %v", again, story.again)
			}
			if (story.ask != nil) != (asked == 1) {
				t.Errorf("the house was asked %d times to leave", asked)
			}
		})
	}
}

// A server that claims another schema, says something else first, or nothing at
// all, is not talked to.
func TestAServerWithoutAProperHello(t *testing.T) {
	for says, want := range map[string]string{
		`{"verb":"hello","hello":{"version":"v9","schema":9}}`:           "v9 (schema 9)",
		`{"id":1,"verb":"end"}`:                                          `"end" before hello`,
		`{"verb":"fail","word":{"kind":"done"}}`:                         "which is no error",
		`{"verb":"fail","word":{"kind":"error","body":{"oops":1}}}`:      "cannot say why",
		`HTTP/1.1 400 Bad Request`:                                       "frame",
		`{"verb":"hello"}`:                                               "version and schema",
		`{"verb":"hello","hello":{"version":"v1","schema":3},"extra":1}`: "extra",
	} {
		ours, theirs := net.Pipe()
		go func() {
			_, _ = bufio.NewReader(theirs).ReadString('\n')
			_, _ = theirs.Write([]byte(says + "\n"))
			_ = theirs.Close()
		}()
		_, err := local.Connect(t.Context(), ours, us)
		if err == nil {
			t.Errorf("%s was taken for a hello", says)
			continue
		}
		wantCode(t, err, messages.AsError(err).Code, want)
	}
}

func TestSilenceInsteadOfHello(t *testing.T) {
	t.Run("of the server", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ours, theirs := net.Pipe()
			defer theirs.Close()
			go func() { _, _ = bufio.NewReader(theirs).ReadString('\n') }()
			_, err := local.Connect(t.Context(), ours, us)
			wantCode(t, err, messages.CodeUnavailable, "does not answer")
		})
	})
	t.Run("of the client", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			d, _, _ := serve(t, house{}, local.Options{HelloTimeout: time.Second})
			s := d.stranger(t)
			s.hears(`"deadline"`, "no hello within 1s")
			s.isDropped()
		})
	})
	t.Run("of the server, and the caller cannot wait", func(t *testing.T) {
		ours, theirs := net.Pipe()
		defer theirs.Close()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := local.Connect(ctx, ours, us)
		wantCode(t, err, messages.CodeCancelled)
	})
}
