package evaluate

import (
	"fmt"
	"strconv"
	"strings"

	"kurogo/messages"
)

// improvedBytes bounds an improved document when it comes as JSON, in which a
// character can take six bytes.
const improvedBytes = 64 << 20

// suggestionsShown are as many as one rewriting can heed.
const suggestionsShown = 30

// ImprovePrompt asks an agent to rewrite a document by a verdict: the worst
// criterion first, then what the evaluator said of it. Both the document and what
// was said of it are framed as data.
func ImprovePrompt(doc string, v messages.Verdict, weights messages.Rubric, target float64, language string) string {
	framed, mark := frame("document", doc)
	remarks, remark := frame("suggestions", remarks(v))
	var figures strings.Builder
	for i, c := range worst(v.Scores, weights) {
		fmt.Fprintf(&figures, "%d. %s: %.1f / 10 (× %s)\n", i+1, c, v.Scores.Of(c), strconv.FormatFloat(weights.Of(c), 'g', 3, 64))
	}
	return strings.NewReplacer(
		"{{score}}", fmt.Sprintf("%.1f", v.Score), "{{target}}", fmt.Sprintf("%.1f", target),
		"{{criteria}}", strings.TrimRight(figures.String(), "\n"),
		"{{suggestions}}", remarks, "{{suggestions_mark}}", remark,
		"{{document}}", framed, "{{mark}}", mark,
		"{{schema}}", string(ImproveSchema()),
	).Replace(prompt("improve", language))
}

// worst lists the criteria by what they cost the document.
func worst(scores, weights messages.Rubric) []messages.Criterion {
	var all []messages.Suggestion
	for _, c := range messages.Criteria() {
		all = append(all, messages.Suggestion{Criterion: c})
	}
	out := make([]messages.Criterion, 0, len(all))
	for _, s := range WorstFirst(all, scores, weights) {
		out = append(out, s.Criterion)
	}
	return out
}

func remarks(v messages.Verdict) string {
	if len(v.Suggestions) == 0 {
		return "-"
	}
	lines := make([]string, 0, suggestionsShown)
	for _, s := range v.Suggestions[:min(len(v.Suggestions), suggestionsShown)] {
		lines = append(lines, "- "+s.String())
	}
	return strings.Join(lines, "\n")
}

// ParseImproved reads an improving agent's answer: the whole document, and what
// was changed. A document that is empty is an ErrAnswer.
func ParseImproved(text string) (doc, summary string, err error) {
	if len(text) > improvedBytes {
		return "", "", fmt.Errorf("%w: it has %d bytes, the most are %d", ErrAnswer, len(text), improvedBytes)
	}
	fields, err := object(text, "document", "summary")
	if err != nil {
		return "", "", err
	}
	if err := value(fields, "document", &doc); err != nil {
		return "", "", err
	}
	if err := value(fields, "summary", &summary); err != nil {
		return "", "", err
	}
	if err := CheckDocument([]byte(doc), 0); err != nil {
		return "", "", fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	return doc, plain(summary), nil
}
