package evaluate_test

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// thinOut takes every second paragraph.
func thinOut(text string, r *rand.Rand) string {
	lines := split(text)
	paragraphs := paragraphsOf(lines)
	if len(paragraphs) < 6 {
		return text
	}
	odd := r.IntN(2)
	for i, p := range slices.Backward(paragraphs) {
		if i%2 == odd {
			lines = slices.Delete(lines, p[0], p[1])
		}
	}
	return join(lines)
}

// emptyCode leaves the fences of half of the blocks, and nothing between them.
func emptyCode(text string, r *rand.Rand) string {
	lines := split(text)
	var out []string
	inside, drop := false, false
	for _, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			inside = !inside
			drop = inside && r.IntN(2) == 0
			out = append(out, line)
			continue
		}
		if !inside || !drop {
			out = append(out, line)
		}
	}
	return join(out)
}

// mergeParagraphs takes away the empty line between paragraphs that follow each
// other.
func mergeParagraphs(text string, _ *rand.Rand) string {
	lines := split(text)
	paragraphs := paragraphsOf(lines)
	merged := 0
	for i := len(paragraphs) - 1; i > 0; i-- {
		if from, to := paragraphs[i-1][1], paragraphs[i][0]; to == from+1 {
			lines, merged = slices.Delete(lines, from, to), merged+1
		}
	}
	if merged < 3 {
		return text
	}
	return join(lines)
}

// loremIpsum puts a filler in the place of a paragraph.
func loremIpsum(text string, r *rand.Rand) string {
	lines := split(text)
	paragraphs := paragraphsOf(lines)
	if len(paragraphs) < 3 {
		return text
	}
	p := paragraphs[r.IntN(len(paragraphs))]
	return join(slices.Replace(lines, p[0], p[1], "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua."))
}

// leaveConflict leaves a paragraph as a merge left it.
func leaveConflict(text string, r *rand.Rand) string {
	lines := split(text)
	paragraphs := paragraphsOf(lines)
	if len(paragraphs) < 3 {
		return text
	}
	p := paragraphs[r.IntN(len(paragraphs))]
	theirs := slices.Clone(lines[p[0]:p[1]])
	ours := slices.Concat([]string{"<<<<<<< HEAD"}, theirs, []string{"======="}, theirs, []string{">>>>>>> branch"})
	return join(slices.Replace(lines, p[0], p[1], ours...))
}

// repeatSection says a whole section again at the end.
func repeatSection(text string, r *rand.Rand) string {
	lines := split(text)
	all := bodies(lines)
	if len(all) < 3 {
		return text
	}
	b := all[1+r.IntN(len(all)-1)]
	if b[1]-b[0] < 4 {
		return text
	}
	return join(append(append(slices.Clone(lines), ""), lines[b[0]-1:b[1]]...))
}

// stripHeadings takes away every heading but the title.
func stripHeadings(text string, _ *rand.Rand) string {
	lines := split(text)
	for _, i := range slices.Backward(headingsOf(lines)[min(1, len(headingsOf(lines))):]) {
		lines = slices.Delete(lines, i, i+1)
	}
	return join(lines)
}

// dropItems takes every second item of the lists.
func dropItems(text string, r *rand.Rand) string {
	lines := split(text)
	open := outside(lines)
	var out []string
	n, dropped := r.IntN(2), 0
	for i, line := range lines {
		if open[i] && (strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || numberedItem.MatchString(line) && line[0] != ' ') {
			if n++; n%2 == 0 {
				dropped++
				continue
			}
		}
		out = append(out, line)
	}
	if dropped < 3 {
		return text
	}
	return join(out)
}
