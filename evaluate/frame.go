package evaluate

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// frame stands a text between two lines that it cannot contain: their name is
// drawn from its own hash, and drawn again should the text know it. The same text
// gets the same frame, so that the same prompt can be kept and compared.
func frame(name, text string) (framed, mark string) {
	mark = draw(name, text)
	return "<" + mark + ">\n" + strings.TrimSuffix(text, "\n") + "\n</" + mark + ">", mark
}

func draw(name, text string) string {
	for i := 0; ; i++ {
		sum := sha256.Sum256([]byte(strconv.Itoa(i) + ":" + text))
		if nonce := hex.EncodeToString(sum[:8]); !strings.Contains(text, nonce) {
			return name + "-" + nonce
		}
	}
}
