package evaluate

import (
	"unicode"
	"unicode/utf8"
)

// japanese reports whether a text is written in Japanese: it has kana, one for
// each ten of its letters or more.
func japanese(text string) bool {
	kana, letters := 0, 0
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			if 'a' <= r|0x20 && r|0x20 <= 'z' {
				letters++
			}
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana++
		}
	}
	return kana > 0 && kana*10 >= letters
}

// wide reports whether a rune is written without spaces around its words.
func wide(r rune) bool {
	return r >= 0x2e80 && (r <= 0x9fff || r >= 0xf900 && r <= 0xfaff || r >= 0xff00 && r <= 0xffef)
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
