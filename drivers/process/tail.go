package process

import (
	"cmp"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
)

const (
	keepStderr = 64 << 10
	redacted   = "[redacted]"
	// A shorter value would redact half of what is said.
	shortestSecret = 4
)

var secretName = regexp.MustCompile(`(?i)KEY|TOKEN|SECRET|PASSWORD`)

// secrets lists, longest first, the values of those variables whose names say
// that they are not for everybody's eyes.
func secrets(env []string) []string {
	var out []string
	for _, pair := range env {
		name, value, _ := strings.Cut(pair, "=")
		if secretName.MatchString(name) && len(value) >= shortestSecret {
			out = append(out, value)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return out
}

// redact leaves out every secret, wherever it stands.
func redact(s string, secrets []string) string {
	for _, secret := range secrets {
		s = strings.ReplaceAll(s, secret, redacted)
	}
	return s
}

// A tail keeps the end of what a process complains about.
type tail struct {
	secrets []string
	extra   int // kept beyond the limit, so that no secret is cut in two

	mu      sync.Mutex
	kept    []byte
	dropped bool
}

func newTail(secrets []string) *tail {
	t := &tail{secrets: secrets}
	if len(secrets) > 0 {
		t.extra = len(secrets[0])
	}
	return t
}

// drain reads to the end: a process whose stderr nobody reads would stand still.
func (t *tail) drain(from io.Reader) {
	buf := make([]byte, firstBuffer)
	for {
		n, err := from.Read(buf)
		t.add(buf[:n])
		if err != nil {
			return
		}
	}
}

func (t *tail) add(b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b...)
	if keep := keepStderr + t.extra; len(t.kept) > 2*keep {
		t.kept = append(t.kept[:0], t.kept[len(t.kept)-keep:]...)
		t.dropped = true
	}
}

// String is the last of what was said, redacted, as valid UTF-8.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := string(t.kept)
	s = redact(s, t.secrets)
	if t.dropped && t.extra > 0 { // it may begin with the end of a secret
		s = s[min(len(s), t.extra-1):]
	}
	return strings.ToValidUTF8(s[max(0, len(s)-keepStderr):], "\uFFFD")
}
