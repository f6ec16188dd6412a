package evaluate_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// An operator makes a text worse by a rule that knows nothing of its meaning. It
// returns the text as it was where there is nothing for it to spoil.
type operator struct {
	name  string
	held  bool // never looked at while the measures were tuned
	spoil func(string, *rand.Rand) string
}

var operators = []operator{
	{"drop a section", false, dropSection},
	{"break links", false, breakLinks},
	{"duplicate paragraphs", false, duplicateParagraphs},
	{"unclose code", false, uncloseCode},
	{"shuffle sentences", false, shuffleSentences},
	{"insert TODO", false, insertTodo},
	{"empty sections", false, emptySomeSections},
	{"demote headings", false, demoteHeadings},
	{"delete words", false, deleteWords},
	{"join sentences", false, joinSentences},
	{"break numbering", false, breakNumbering},

	{"swap bodies", false, swapBodies},
	{"corrupt code", false, corruptCode},
	{"repeat sentences", false, repeatSentences},
	{"double words", false, doubleWords},
	{"cut sentences", false, cutSentences},
	{"empty the code", false, emptyCode},

	{"drop the title", true, dropTitle},
	{"truncate the end", true, truncateEnd},
	{"garble characters", true, garble},
	{"break tables", true, breakTables},
	{"flatten headings", true, flattenHeadings},
	{"shuffle paragraphs", true, shuffleParagraphs},
	{"thin out", true, thinOut},
	{"merge paragraphs", true, mergeParagraphs},
	{"lorem ipsum", true, loremIpsum},
	{"leave a conflict", true, leaveConflict},
	{"repeat a section", true, repeatSection},
	{"strip headings", true, stripHeadings},
	{"drop items", true, dropItems},
}

// outside lists the lines of a text that are not in fenced code.
func outside(lines []string) []bool {
	out, in := make([]bool, len(lines)), false
	for i, line := range lines {
		fence := strings.HasPrefix(strings.TrimSpace(line), "```") || strings.HasPrefix(strings.TrimSpace(line), "~~~")
		out[i] = !in && !fence
		if fence {
			in = !in
		}
	}
	return out
}

func split(text string) []string { return strings.Split(text, "\n") }
func join(lines []string) string { return strings.Join(lines, "\n") }

var atx = regexp.MustCompile(`^#{1,6} `)

// headingsOf are the indices of the lines that are headings.
func headingsOf(lines []string) []int {
	var out []int
	open := outside(lines)
	for i, line := range lines {
		if open[i] && atx.MatchString(line) {
			out = append(out, i)
		}
	}
	return out
}

// dropSection takes out a section with its heading, any but the first.
func dropSection(text string, r *rand.Rand) string {
	lines := split(text)
	heads := headingsOf(lines)
	if len(heads) < 3 {
		return text
	}
	i := 1 + r.IntN(len(heads)-1)
	end := len(lines)
	if i+1 < len(heads) {
		end = heads[i+1]
	}
	return join(slices.Delete(lines, heads[i], end))
}

var (
	inlineLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	definition = regexp.MustCompile(`^\[[^\]]+\]: `)
)

// breakLinks breaks every third link or definition of one, at least one.
func breakLinks(text string, r *rand.Rand) string {
	lines := split(text)
	open := outside(lines)
	n := r.IntN(3)
	for i, line := range lines {
		switch {
		case !open[i]:
		case definition.MatchString(line):
			if n++; n%3 == 0 {
				lines[i] = ""
			}
		default:
			lines[i] = inlineLink.ReplaceAllStringFunc(line, func(link string) string {
				if n++; n%3 != 0 {
					return link
				}
				switch dest := link[2 : len(link)-1]; {
				case strings.HasPrefix(dest, "#"):
					return "](" + dest + "-gone)"
				case r.IntN(2) == 0:
					return "]()"
				default:
					return "](" + dest
				}
			})
		}
	}
	return join(lines)
}

// paragraphsOf are the ranges of lines of plain prose.
func paragraphsOf(lines []string) [][2]int {
	var out [][2]int
	open := outside(lines)
	for i := 0; i < len(lines); {
		j := i
		for j < len(lines) && open[j] && plainLine(lines[j]) {
			j++
		}
		if j > i && (i == 0 || strings.TrimSpace(lines[i-1]) == "") && (j == len(lines) || strings.TrimSpace(lines[j]) == "") {
			out = append(out, [2]int{i, j})
		}
		i = max(j, i+1)
	}
	return out
}

func plainLine(line string) bool {
	return line != "" && !strings.ContainsRune(" \t#-*+>|<[!`=_", rune(line[0])) && (line[0] < '0' || line[0] > '9')
}

func duplicateParagraphs(text string, r *rand.Rand) string {
	lines := split(text)
	paragraphs := slices.DeleteFunc(paragraphsOf(lines), func(p [2]int) bool { return len(join(lines[p[0]:p[1]])) < 80 })
	if len(paragraphs) < 3 {
		return text
	}
	for range 2 {
		from, to := paragraphs[r.IntN(len(paragraphs))], paragraphs[r.IntN(len(paragraphs))]
		lines[to[1]-1] += "\n\n" + join(split(text)[from[0]:from[1]])
	}
	return join(lines)
}

// uncloseCode takes away a closing fence.
func uncloseCode(text string, r *rand.Rand) string {
	lines := split(text)
	var closing []int
	in := false
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			if in {
				closing = append(closing, i)
			}
			in = !in
		}
	}
	if len(closing) == 0 {
		return text
	}
	i := closing[r.IntN(len(closing))]
	return join(slices.Delete(lines, i, i+1))
}

var stop = regexp.MustCompile(`[.!?]\s+|[。！？]`)

// sentencesOf cuts a paragraph, ends included.
func sentencesOf(text string) []string {
	var out []string
	from := 0
	for _, at := range stop.FindAllStringIndex(text, -1) {
		out, from = append(out, strings.TrimSpace(text[from:at[1]])), at[1]
	}
	if rest := strings.TrimSpace(text[from:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

// shuffleSentences lets every paragraph keep its number of sentences, but not
// which.
func shuffleSentences(text string, r *rand.Rand) string {
	lines := split(text)
	paragraphs := paragraphsOf(lines)
	var all []string
	var counts []int
	for _, p := range paragraphs {
		s := sentencesOf(join(lines[p[0]:p[1]]))
		all, counts = append(all, s...), append(counts, len(s))
	}
	if len(all) < 8 {
		return text
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for i, p := range paragraphs {
		lines[p[0]] = strings.Join(all[:counts[i]], " ")
		for j := p[0] + 1; j < p[1]; j++ {
			lines[j] = "\x00"
		}
		all = all[counts[i]:]
	}
	return join(slices.DeleteFunc(lines, func(line string) bool { return line == "\x00" }))
}

func insertTodo(text string, r *rand.Rand) string {
	lines := split(text)
	paragraphs := paragraphsOf(lines)
	if len(paragraphs) < 2 {
		return text
	}
	marks := []string{"TODO: explain this.", "FIXME check the numbers", "(TBD)", "要確認"}
	for range 2 {
		lines[paragraphs[r.IntN(len(paragraphs))][1]-1] += "\n" + marks[r.IntN(len(marks))]
	}
	return join(lines)
}

// emptySomeSections leaves two headings without what stood below them.
func emptySomeSections(text string, r *rand.Rand) string {
	lines := split(text)
	heads := headingsOf(lines)
	if len(heads) < 4 {
		return text
	}
	for range 2 {
		i := 1 + r.IntN(len(heads)-1)
		end := len(lines)
		if i+1 < len(heads) {
			end = heads[i+1]
		}
		for j := heads[i] + 1; j < end; j++ {
			lines[j] = ""
		}
	}
	return join(lines)
}

func dropTitle(text string, _ *rand.Rand) string {
	lines := split(text)
	heads := headingsOf(lines)
	if len(heads) == 0 || !strings.HasPrefix(lines[heads[0]], "# ") {
		return text
	}
	return join(slices.Delete(lines, heads[0], heads[0]+1))
}

// truncateEnd keeps three quarters, to the letter.
func truncateEnd(text string, r *rand.Rand) string {
	runes := []rune(text)
	n := len(runes)*3/4 - r.IntN(1+len(runes)/20)
	for n > 0 && unicode.IsSpace(runes[n-1]) {
		n--
	}
	return string(runes[:n])
}

func demoteHeadings(text string, r *rand.Rand) string {
	lines := split(text)
	for _, i := range headingsOf(lines) {
		if level := strings.IndexByte(lines[i], ' '); r.IntN(3) == 0 && level < 5 {
			lines[i] = strings.Repeat("#", 1+r.IntN(2)) + lines[i]
		}
	}
	return join(lines)
}

var word = regexp.MustCompile(`[A-Za-z']+|[ぁ-ん]+|[一-龠]+|[ァ-ヶー]+`)

// deleteWords takes one word of twelve from the prose.
func deleteWords(text string, r *rand.Rand) string {
	lines := split(text)
	for _, p := range paragraphsOf(lines) {
		for i := p[0]; i < p[1]; i++ {
			lines[i] = word.ReplaceAllStringFunc(lines[i], func(w string) string {
				if r.IntN(12) == 0 {
					return ""
				}
				return w
			})
			lines[i] = strings.Join(strings.Fields(lines[i]), " ")
		}
	}
	return join(lines)
}

var boundary = regexp.MustCompile(`([a-z)])\.\s+([A-Z])|([ぁ-ん一-龠])。([ぁ-ん一-龠ァ-ヶ])`)

// joinSentences takes away two full stops of three; a text with fewer than three to
// take away is left alone.
func joinSentences(text string, r *rand.Rand) string {
	lines := split(text)
	paragraphs := paragraphsOf(lines)
	joints := 0
	for _, p := range slices.Backward(paragraphs) {
		joined := boundary.ReplaceAllStringFunc(join(lines[p[0]:p[1]]), func(at string) string {
			if r.IntN(3) == 0 {
				return at
			}
			joints++
			m := boundary.FindStringSubmatch(at)
			if m[1] != "" {
				return m[1] + " and " + strings.ToLower(m[2])
			}
			return m[3] + "、" + m[4]
		})
		lines = slices.Replace(lines, p[0], p[1], joined)
	}
	if joints < 3 {
		return text
	}
	return join(lines)
}

var numberedItem = regexp.MustCompile(`^(\s*)(\d+)([.)] )`)

func breakNumbering(text string, r *rand.Rand) string {
	lines := split(text)
	open := outside(lines)
	for i, line := range lines {
		if m := numberedItem.FindStringSubmatch(line); open[i] && m != nil {
			lines[i] = fmt.Sprintf("%s%d%s", m[1], 1+r.IntN(30), m[3]) + line[len(m[0]):]
		}
	}
	return join(lines)
}

// garble reads some words as if they were in another encoding.
func garble(text string, r *rand.Rand) string {
	lines := split(text)
	open := outside(lines)
	for i, line := range lines {
		if !open[i] || len(line) < 30 || r.IntN(8) != 0 {
			continue
		}
		runes := []rune(line)
		at := 10 + r.IntN(len(runes)/2+1)%max(1, len(runes)-12)
		if at >= len(runes) {
			continue
		}
		bad := []string{"\ufffd", "Ã©", "â€™"}[r.IntN(3)]
		lines[i] = string(runes[:at]) + bad + string(runes[at+1:])
	}
	return join(lines)
}
