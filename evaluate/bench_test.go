package evaluate_test

import (
	"os"
	"strings"
	"testing"

	"kurogo/evaluate"
)

func BenchmarkHeuristic(b *testing.B) {
	text, err := os.ReadFile("../ARCHITECTURE.md")
	if err != nil {
		b.Fatal(err)
	}
	doc := strings.Repeat(string(text), 1+20_000/len(text))[:20_000]
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		evaluate.Heuristic(doc, evaluate.DefaultRubric())
	}
}
