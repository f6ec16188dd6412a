package codex

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// A border is where a session can be gone on from, in the words of this driver.
type border struct {
	turn   string // through which turn; "" = through the last
	prompt string // the fingerprint of the system prompt that held then
	used   tokens // what the whole session had used: the CLI counts on from there
}

// end is the turn of a border that is where the session ends.
const end = "end"

// fingerprint tells one system prompt from another.
func fingerprint(prompt string) string {
	sum := sha256.Sum256([]byte(prompt))
	return hex.EncodeToString(sum[:4])
}

func (b border) String() string {
	return fmt.Sprintf("%s@%s@%d/%d/%d", cmp.Or(b.turn, end), b.prompt, b.used.in, b.used.cached, b.used.out)
}

// readBorder reads what String wrote; of anything else it knows nothing.
func readBorder(s string) border {
	parts := strings.Split(s, "@")
	if len(parts) < 2 {
		return border{}
	}
	b := border{prompt: parts[1]}
	if parts[0] != end {
		b.turn = parts[0]
	}
	if len(parts) > 2 {
		_, _ = fmt.Sscanf(parts[2], "%d/%d/%d", &b.used.in, &b.used.cached, &b.used.out) // 0 is what is not there
	}
	return b
}
