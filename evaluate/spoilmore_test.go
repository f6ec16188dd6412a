package evaluate_test

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// breakTables takes a cell from every third row.
func breakTables(text string, r *rand.Rand) string {
	lines := split(text)
	open := outside(lines)
	n := r.IntN(3)
	for i, line := range lines {
		if !open[i] || !strings.HasPrefix(line, "|") || strings.Count(line, "|") < 3 || strings.Contains(line, "--") {
			continue
		}
		if n++; n%3 == 0 {
			end := strings.LastIndexByte(strings.TrimRight(line, " |"), '|')
			lines[i] = line[:max(end, 1)] + "|"
		}
	}
	return join(lines)
}

// bodies are the ranges of lines below each heading.
func bodies(lines []string) [][2]int {
	heads := headingsOf(lines)
	var out [][2]int
	for i, head := range heads {
		end := len(lines)
		if i+1 < len(heads) {
			end = heads[i+1]
		}
		out = append(out, [2]int{head + 1, end})
	}
	return out
}

// swapBodies puts what stands below one heading under another, twice.
func swapBodies(text string, r *rand.Rand) string {
	for range 2 {
		lines := split(text)
		all := bodies(lines)
		if len(all) < 4 {
			return text
		}
		a, b := 1+r.IntN(len(all)-1), 1+r.IntN(len(all)-1)
		if a == b {
			continue
		}
		x, y := all[min(a, b)], all[max(a, b)]
		text = join(slices.Concat(lines[:x[0]], lines[y[0]:y[1]], lines[x[1]:y[0]], lines[x[0]:x[1]], lines[y[1]:]))
	}
	return text
}

// corruptCode takes brackets and quotation marks from blocks of code that say to
// be in a language of which we know the grammar; three of them at least.
func corruptCode(text string, r *rand.Rand) string {
	lines := split(text)
	inside, taken := false, 0
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "```"):
			inside = slices.Contains([]string{"```go", "```json", "```xml", "```sh", "```bash"}, trimmed)
		case inside && strings.ContainsAny(line, "(){}[]\"'") && r.IntN(2) == 0:
			at := strings.IndexAny(line, "(){}[]\"'")
			lines[i], taken = line[:at]+line[at+1:], taken+1
		}
	}
	if taken < 3 {
		return text
	}
	return join(lines)
}

func inParagraphs(text string, change func([]string) []string) string {
	lines := split(text)
	for _, p := range slices.Backward(paragraphsOf(lines)) {
		sentences := sentencesOf(join(lines[p[0]:p[1]]))
		lines = slices.Replace(lines, p[0], p[1], strings.Join(change(sentences), " "))
	}
	return join(lines)
}

// repeatSentences says one sentence of eight twice; two of them at least.
func repeatSentences(text string, r *rand.Rand) string {
	n := 0
	spoiled := inParagraphs(text, func(of []string) []string {
		var out []string
		for _, s := range of {
			if out = append(out, s); r.IntN(8) == 0 {
				out, n = append(out, s), n+1
			}
		}
		return out
	})
	if n < 2 {
		return text
	}
	return spoiled
}

// doubleWords says one word of thirty twice.
func doubleWords(text string, r *rand.Rand) string {
	lines := split(text)
	for _, p := range paragraphsOf(lines) {
		for i := p[0]; i < p[1]; i++ {
			lines[i] = word.ReplaceAllStringFunc(lines[i], func(w string) string {
				if r.IntN(30) != 0 {
					return w
				}
				if w[0] < 0x80 {
					return w + " " + w
				}
				return w + w
			})
		}
	}
	return join(lines)
}

// flattenHeadings makes plain lines of half of the headings.
func flattenHeadings(text string, r *rand.Rand) string {
	lines := split(text)
	for _, i := range headingsOf(lines) {
		if r.IntN(2) == 0 {
			lines[i] = strings.TrimLeft(lines[i], "# ")
		}
	}
	return join(lines)
}

// cutSentences lets one sentence of eight stop in its middle; two of them at least.
func cutSentences(text string, r *rand.Rand) string {
	n := 0
	spoiled := inParagraphs(text, func(of []string) []string {
		for i, s := range of {
			if runes := []rune(s); r.IntN(8) == 0 && len(runes) > 10 {
				of[i], n = strings.TrimSpace(string(runes[:len(runes)/2])), n+1
			}
		}
		return of
	})
	if n < 2 {
		return text
	}
	return spoiled
}

// shuffleParagraphs puts every paragraph in some other one's place.
func shuffleParagraphs(text string, r *rand.Rand) string {
	lines := split(text)
	paragraphs := paragraphsOf(lines)
	if len(paragraphs) < 6 {
		return text
	}
	texts := make([]string, len(paragraphs))
	for i, p := range paragraphs {
		texts[i] = join(lines[p[0]:p[1]])
	}
	r.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
	for i, p := range slices.Backward(paragraphs) {
		lines = slices.Replace(lines, p[0], p[1], texts[i])
	}
	return join(lines)
}
