package config

import (
	"fmt"
	"slices"
	"strings"
)

// nearest is the candidate that word was most likely meant to be, "" if none
// is near enough to be worth saying.
func nearest(word string, candidates []string) string {
	best, least := "", max(2, len(word)/3)+1
	for _, c := range candidates {
		if d := distance(word, c); d < least {
			best, least = c, d
		}
	}
	return best
}

// distance counts the single-byte edits between two words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := corner
			if a[i] != b[j] {
				cost++
			}
			corner = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// oneOf is the remedy for a word that is not in a closed list.
func oneOf[S ~string](words []S) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = fmt.Sprintf("%q", string(w))
	}
	return "write one of " + strings.Join(quoted, ", ")
}

// instead is the remedy for a misspelt word: the one that was meant, or all.
func instead(word string, known []string) string {
	if len(word) <= 64 {
		if near := nearest(word, known); near != "" {
			return fmt.Sprintf("write %q", near)
		}
	}
	known = slices.Compact(slices.Sorted(slices.Values(known)))
	return "use one of: " + strings.Join(known, ", ")
}
