package evaluate_test

import (
	"strings"
	"testing"

	"kurogo/evaluate"
	"kurogo/messages"
)

func TestCheckDocument(t *testing.T) {
	for name, c := range map[string]struct {
		content, says string // says nothing: it is good
		limit         int
	}{
		"a text":           {"# T\n\nText.\n", "", 0},
		"Japanese":         {"# 題\n\n文。\n", "", 100},
		"as large as may":  {"12345678", "", 8},
		"one too many":     {"123456789", "9 bytes are over the limit document_bytes = 8", 8},
		"nothing":          {"", "is empty", 0},
		"white space":      {" \n\t\u3000\ufeff", "is empty", 0},
		"ten megabytes":    {strings.Repeat("x", 10<<20), "document_bytes", 1 << 20},
		"a picture":        {"\x89PNG\r\n\x1a\n\x00\x00", "binary: byte 9 is 0", 0},
		"UTF-16":           {"\xff\xfe#\x00 \x00", "binary", 0},
		"Shift JIS":        {"# T\n\n\x93\xfa\x96\x7b\n", "line 3 is broken", 0},
		"a cut letter":     {"text\nさ\xe3\x81", "line 2 is broken", 0},
		"large and binary": {strings.Repeat("\x00", 9), "document_bytes", 8},
	} {
		t.Run(name, func(t *testing.T) {
			err := evaluate.CheckDocument([]byte(c.content), c.limit)
			if c.says == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			e := messages.AsError(err)
			if e == nil || e.Code != messages.CodeInvalid || e.Field != "content" || e.Remedy == "" || !strings.Contains(e.Message, c.says) {
				t.Errorf("%v, want invalid content with %q and a remedy", err, c.says)
			}
		})
	}
}
