package actors

import (
	"fmt"
	"strconv"
	"strings"

	"kurogo/messages"
)

// NoModel says who answered where nobody did: the passages speak for themselves.
const NoModel = "rehearsal (no model)"

// How much of the passages is quoted.
const (
	quotesMost = 3
	quoteLines = 12
)

// Extract answers without a model, by quoting what was found, and says so. found is
// false when there is nothing to quote.
func Extract(language, question string, sources []messages.ChatSource) (answer string, found bool) {
	if len(sources) == 0 {
		if language == "ja" {
			return "[リハーサル · モデルなし] 「" + gist(question) + "」に合う箇所はプロジェクトにも以前の会話にも見つかりませんでした。kurogo.toml でモデルの driver を設定すると、答えを書けるようになります。", false
		}
		return "[rehearsal · no model] Nothing in the project or in earlier talks fits “" + gist(question) + "”. With the driver of a model in kurogo.toml, somebody can answer.", false
	}
	var b strings.Builder
	if language == "ja" {
		b.WriteString("[リハーサル · モデルなし] 答えを書くモデルがないため、質問に近い箇所をそのまま引用します。\n")
	} else {
		b.WriteString("[rehearsal · no model] Nobody wrote this answer: these are the passages that come closest.\n")
	}
	asked := set(terms(question))
	for _, s := range sources[:min(quotesMost, len(sources))] {
		ref, text := quote(s, asked)
		fmt.Fprintf(&b, "\n%s\n", ref)
		for line := range strings.Lines(text) {
			b.WriteString("> " + strings.TrimRight(line, "\r\n") + "\n")
		}
	}
	return strings.TrimRight(b.String(), "\n"), true
}

// quote picks the lines of a passage that have most in common with the question,
// and says where they stand.
func quote(s messages.ChatSource, asked map[string]bool) (ref, text string) {
	lines := strings.Split(strings.TrimRight(s.Text, "\n"), "\n")
	if s.Path == "" || len(lines) <= quoteLines {
		return s.Ref(), strings.Join(lines, "\n")
	}
	hits := make([]int, len(lines))
	for i, line := range lines {
		for w := range set(terms(line)) {
			if asked[w] {
				hits[i]++
			}
		}
	}
	best, most, sum := 0, -1, 0
	for i, n := range hits {
		if sum += n; i >= quoteLines {
			sum -= hits[i-quoteLines]
		}
		if i >= quoteLines-1 && sum > most {
			best, most = i-quoteLines+1, sum
		}
	}
	part := s
	if first, ok := firstLine(s.Span); ok {
		part.Span = fmt.Sprintf("L%d-L%d", first+best, first+best+quoteLines-1)
	}
	return part.Ref(), strings.Join(lines[best:best+quoteLines], "\n")
}

func firstLine(span string) (int, bool) {
	first, _, _ := strings.Cut(strings.TrimPrefix(span, "L"), "-")
	n, err := strconv.Atoi(first)
	return n, err == nil
}

// Sorry is what is answered when nobody could.
func Sorry(language, question string) string {
	if language == "ja" {
		return "すみません、「" + gist(question) + "」には今うまく答えられませんでした。少し待ってから、もう一度お試しください。"
	}
	return "Sorry, I could not answer “" + gist(question) + "” just now. Please try again in a moment."
}

// gist is a question as we repeat it.
func gist(question string) string { return messages.ChatTitle(question) }

// Digest shortens turns without a model: the beginning of each question and of its
// answer, the newest where not all fit.
func Digest(before string, turns []messages.ChatTurn, most int) string {
	lines := strings.Split(strings.TrimSpace(before), "\n")
	for _, t := range turns {
		lines = append(lines, "- "+opening(t.Question.Content)+" → "+opening(t.Answer.Content))
	}
	for len(lines) > 1 && tokens(strings.Join(lines, "\n")) > most {
		lines = lines[1:]
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// opening is the beginning of a text, on one line.
func opening(text string) string {
	const letters = 120
	r := []rune(strings.Join(strings.Fields(text), " "))
	if len(r) > letters {
		return string(r[:letters]) + "…"
	}
	return string(r)
}
