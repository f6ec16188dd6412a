package hermes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"kurogo/drivers/process"
	"kurogo/messages"
)

// A memory is the conversation of one session: here, and where the life has a home
// as lines of JSON in a file. A border is how many lines it has; what stands
// behind the border that a life goes on from is written over.
type memory struct {
	session string
	file    string // "" where there is no home
	said    []message

	lines int   // of the file that count
	size  int64 // of them
}

const (
	mostRemembered = 16 << 20 // bytes of a conversation; the oldest turns go first
	longestMemory  = 4 << 20  // of one line
)

var sessionName = regexp.MustCompile(`\A[0-9a-zA-Z-]{1,64}\z`)

// recall is the memory that a brief goes on with; loss says what of it is gone.
func recall(spec messages.Spec) (m *memory, loss string) {
	m = &memory{session: messages.NewID()}
	if spec.Home != "" {
		m.file = m.path(spec.Home)
	}
	if spec.Session == "" {
		return m, ""
	}
	gone := "the session " + messages.Cut(spec.Session, 80) + " is gone: a new one begins, without memory"
	if spec.Home == "" || !sessionName.MatchString(spec.Session) {
		return m, gone
	}
	old := &memory{session: spec.Session}
	old.file = old.path(spec.Home)
	text, err := os.ReadFile(old.file)
	if err != nil {
		return m, gone
	}
	border, _ := strconv.Atoi(spec.Border)
	if border <= 0 {
		border = bytes.Count(text, []byte("\n")) // to its end
	}
	old.read(text, border)
	if old.lines < border {
		loss = "the session " + spec.Session + " does not reach to its border " + messages.Cut(spec.Border, 20) + ": it goes on where it ends"
	}
	return old, loss
}

func (m *memory) path(home string) string { return filepath.Join(home, "hermes", m.session+".jsonl") }

// read takes as many lines as it is told, or as there are whole ones.
func (m *memory) read(text []byte, border int) {
	r := process.NewReader(bytes.NewReader(text), longestMemory)
	for m.lines < border {
		line, err := r.Next()
		var one message
		if err != nil || line.Truncated || json.Unmarshal(line.Text, &one) != nil || int(m.size)+len(line.Text) >= len(text) {
			break
		}
		m.said = append(m.said, one)
		m.lines++
		m.size += int64(len(line.Text)) + 1
	}
	m.forget()
}

// keep writes down what a turn that went well has added, and says where the
// session can be gone on from.
func (m *memory) keep(added []message) (border string, err error) {
	if m.file == "" {
		return "", nil
	}
	var b bytes.Buffer
	for _, one := range added {
		line, err := json.Marshal(one)
		if err != nil {
			return "", fmt.Errorf("encode memory: %w", err)
		}
		b.Write(append(line, '\n'))
	}
	if err := m.write(b.Bytes()); err != nil {
		return "", err
	}
	m.lines += len(added)
	m.size += int64(b.Len())
	return strconv.Itoa(m.lines), nil
}

func (m *memory) write(lines []byte) error {
	if err := os.MkdirAll(filepath.Dir(m.file), 0o700); err != nil {
		return fmt.Errorf("keep memory: %w", err)
	}
	f, err := os.OpenFile(m.file, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("keep memory: %w", err)
	}
	defer f.Close()
	if err := f.Truncate(m.size); err != nil {
		return fmt.Errorf("keep memory: %w", err)
	}
	if _, err := f.WriteAt(lines, m.size); err != nil {
		return fmt.Errorf("keep memory: %w", err)
	}
	return f.Close()
}

// forget drops the oldest turns of a conversation that has become too long for
// us, whatever the model takes.
func (m *memory) forget() {
	for all := size(m.said); all > mostRemembered; {
		n := firstTurn(m.said)
		if n == len(m.said) {
			return
		}
		all -= size(m.said[:n])
		m.said = append([]message{}, m.said[n:]...)
	}
}

// firstTurn is how many messages the oldest turn has.
func firstTurn(said []message) int {
	for i, one := range said {
		if i > 0 && one.begins() {
			return i
		}
	}
	return len(said)
}
