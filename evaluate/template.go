package evaluate

import (
	"embed"
	"strconv"
	"strings"

	"kurogo/messages"
)

// What a template may contain. Anything else in double braces is left alone.
const (
	placeDocument = "{{document_content}}"
	placePrefix   = "{{"
	placeSuffix   = "_weight}}"
)

// templateBytes bounds a template; it is read into every prompt.
const templateBytes = 256 << 10

//go:embed prompts
var prompts embed.FS

// A Template makes the prompt for an evaluator.
type Template struct{ text, language string }

// BuiltIn is the template of the house: in Japanese for "ja", else in English.
func BuiltIn(language string) Template {
	return Template{prompt("evaluate", language), language}
}

// prompt reads one of ours, which are there: a test opens them all.
func prompt(name, language string) string {
	if language != "ja" {
		language = "en"
	}
	text, _ := prompts.ReadFile("prompts/" + name + "." + language + ".txt")
	return string(text)
}

// ParseTemplate takes a template of somebody's own. One in which the document has
// no place is invalid.
func ParseTemplate(text string) (Template, error) {
	switch {
	case len(text) > templateBytes:
		return Template{}, messages.TooLarge("prompt_file", "template_bytes", len(text), templateBytes).Try("shorten it")
	case !strings.Contains(text, placeDocument):
		return Template{}, messages.Invalid("prompt_file", "the template has no place for the document").Try("write " + placeDocument + " where it goes")
	}
	language := "en"
	if japanese(text) {
		language = "ja"
	}
	return Template{text, language}, nil
}

// Prompt puts a document and what the criteria count into the template. The
// document is framed as data, and what looks like a placeholder in it is none.
// Behind the template follows how to answer, whether or not it says so itself.
func (t Template) Prompt(doc string, weights messages.Rubric) string {
	framed, mark := frame("document", doc)
	places := []string{placeDocument, framed}
	for _, c := range messages.Criteria() {
		places = append(places, placePrefix+string(c)+placeSuffix, strconv.FormatFloat(weights.Of(c), 'g', 3, 64))
	}
	body := strings.NewReplacer(places...).Replace(t.text) // one pass: what is put in is not read again
	tail := strings.NewReplacer("{{mark}}", mark, "{{schema}}", string(Schema())).Replace(prompt("answer", t.language))
	return strings.TrimRight(body, "\n") + "\n\n" + tail
}
