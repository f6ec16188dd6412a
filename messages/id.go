package messages

import (
	"crypto/rand"
	"encoding/hex"
	"time"
)

// NewID returns a UUIDv7: 48 bits of unix milliseconds, then 74 random bits
// from crypto/rand. Ids are handles, never credentials.
func NewID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the process instead
	ms := time.Now().UnixMilli()
	for i := range 6 {
		b[i] = byte(ms >> (40 - 8*i))
	}
	b[6] = b[6]&0x0f | 0x70
	b[8] = b[8]&0x3f | 0x80
	var out [36]byte
	hex.Encode(out[0:8], b[0:4])
	hex.Encode(out[9:13], b[4:6])
	hex.Encode(out[14:18], b[6:8])
	hex.Encode(out[19:23], b[8:10])
	hex.Encode(out[24:36], b[10:16])
	out[8], out[13], out[18], out[23] = '-', '-', '-', '-'
	return string(out[:])
}

// Hex draws n hexadecimal digits from crypto/rand, for ids that people read.
func Hex(n int) string {
	b := make([]byte, (n+1)/2)
	_, _ = rand.Read(b) // never fails: crypto/rand ends the process instead
	return hex.EncodeToString(b)[:n]
}
