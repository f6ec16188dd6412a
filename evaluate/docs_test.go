package evaluate_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"kurogo/evaluate"
)

// The page says what the code measures, row by row, and names every operator.
func TestTheDocumentationIsTrue(t *testing.T) {
	page, err := os.ReadFile("../docs/evaluation.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| criterion | measure | weight | what it looks at |\n|---|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var want []string
	for _, m := range evaluate.Measures() {
		want = append(want, fmt.Sprintf("| %s | %s | %s | %s |", m[0], m[1], m[2], m[3]))
	}
	if got := strings.Split(table, "\n"); !slices.Equal(got, want) {
		t.Errorf("the table of measures is\n%s\nand should be\n%s", table, strings.Join(want, "\n"))
	}
	tuned, held, _ := strings.Cut(string(page), "Thirteen were held out")
	for _, op := range operators {
		where := tuned
		if op.held {
			where = held
		}
		if !strings.Contains(where, "| "+op.name+" |") && !strings.Contains(where, "| **"+op.name+"** |") {
			t.Errorf("the operator %q is not in its table", op.name)
		}
	}
}
