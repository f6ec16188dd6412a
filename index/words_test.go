package index_test

import (
	"slices"
	"strings"
	"testing"

	"kurogo/index"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"readFile":           "read file readfile",
		"ReadHTTPHeaders":    "read http header readhttpheaders",
		"max_file_bytes":     "max file byte maxfilebytes",
		"__init__":           "init",
		"utf8":               "utf 8 utf8",
		"x := indexes[i]":    "x index i",
		"0x123456789":        "0 x 0x123456789",
		"差分同期":               "差 差分 分 分同 同 同期 期",
		"チャンク":               "チャ ャン ンク",
		"改名Xを":               "改 改名 名 x",
		"naïve Überblick":    "naïve überblick",
		"":                   "",
		"a\xff\xfeb":         "a b",
		"Straße_7":           "straße_7",
		"running the runner": "run the runner",
	} {
		if text == "改名Xを" {
			want = "改 改名 名 x" // a single kana alone says nothing
		}
		if got := strings.Join(index.Words(text), " "); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	if got := index.Words(strings.Repeat("x", 100)); len(got) != 0 {
		t.Errorf("data is taken for a word: %q", got)
	}
}

// A query leaves out what every sentence has, unless it has nothing else.
func TestAsked(t *testing.T) {
	for query, want := range map[string]string{
		"where is the file that was read": "file read",
		"what is this":                    "what is thi",
		"差分":                              "差分",
		"差":                               "差",
	} {
		if got := strings.Join(index.Asked(query), " "); got != want {
			t.Errorf("%q is looked for as %q, want %q", query, got, want)
		}
	}
}

// The pairs are those that Porter's paper gives.
func TestStem(t *testing.T) {
	for word, want := range map[string]string{
		"caresses": "caress", "ponies": "poni", "ties": "ti", "caress": "caress", "cats": "cat", "feed": "feed", "agreed": "agre", //nolint:misspell // stems are no words

		"plastered": "plaster", "bled": "bled", "motoring": "motor", "sing": "sing", "conflated": "conflat", "troubled": "troubl",
		"sized": "size", "hopping": "hop", "tanned": "tan", "falling": "fall", "hissing": "hiss", "fizzed": "fizz", "failing": "fail",
		"filing": "file", "happy": "happi", "sky": "sky", "relational": "relat", "conditional": "condit", "rational": "ration",
		"valenci": "valenc", "digitizer": "digit", "conformabli": "conform", "radicalli": "radic", "differentli": "differ", "vileli": "vile",
		"analogousli": "analog", "vietnamization": "vietnam", "predication": "predic", "operator": "oper", "feudalism": "feudal",
		"decisiveness": "decis", "hopefulness": "hope", "callousness": "callous", "formaliti": "formal", "sensitiviti": "sensit",
		"sensibiliti": "sensibl", "triplicate": "triplic", "formative": "form", "formalize": "formal", "electriciti": "electr",
		"electrical": "electr", "hopeful": "hope", "goodness": "good", "revival": "reviv", "allowance": "allow", "inference": "infer",
		"airliner": "airlin", "gyroscopic": "gyroscop", "adjustable": "adjust", "defensible": "defens", "irritant": "irrit",
		"replacement": "replac", "adjustment": "adjust", "dependent": "depend", "adoption": "adopt", "communism": "commun",
		"activate": "activ", "angulariti": "angular", "homologous": "homolog", "effective": "effect", "bowdlerize": "bowdler",
		"probate": "probat", "rate": "rate", "cease": "ceas", "roll": "roll", "by": "by",
	} {
		if got := index.Stem(word); got != want {
			t.Errorf("%s becomes %s, want %s", word, got, want)
		}
	}
	index1, index2, index3 := index.Stem("indexes"), index.Stem("indexed"), index.Stem("indexing")
	if index1 != index2 || index2 != index3 {
		t.Errorf("one word became %s, %s and %s", index1, index2, index3)
	}
}

// No input makes words fail, and every word is short and not empty.
func FuzzWords(f *testing.F) {
	f.Add("readFile 差分 naïve \xff _ 0x1F __a__ A")
	f.Fuzz(func(t *testing.T, text string) {
		got := index.Words(text)
		if slices.ContainsFunc(got, func(w string) bool { return w == "" || len(w) > 64 || strings.ContainsAny(w, "\n\x01") }) {
			t.Errorf("%q became %q", text, got)
		}
	})
}
