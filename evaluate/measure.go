package evaluate

import (
	"fmt"

	"kurogo/messages"
)

// A measure looks at one thing. Its fault, 0 to below 1, takes that part of its
// weight from the criterion; its notes say where.
type measure struct {
	name      string
	criterion messages.Criterion
	weight    float64 // the part of the criterion that it can take, at most
	looks     string  // at what; the table in docs/evaluation.md
	find      func(*page) finding
}

// A finding is what a measure has found.
type finding struct {
	fault float64
	notes []note
}

// A note is one place to improve, and how much it matters beside others of its
// measure.
type note struct {
	line int
	cost float64
	text string
}

// measures is everything that the heuristic looks at.
var measures = []measure{
	{"title", messages.Completeness, 0.15, "the document opens with one title of the first level", title},
	{"substance", messages.Completeness, 0.8, "how much it says: sentences (each counted once), sections, code, tables; more is better, ever more slowly", substance},
	{"empty sections", messages.Completeness, 0.5, "headings with nothing below them", emptySections},
	{"ending", messages.Completeness, 0.4, "the text, or a paragraph, stops in the middle of a sentence, or at a heading", ending},
	{"marks", messages.Completeness, 0.5, "TODO, FIXME, TBD, XXX, 要確認, 未定, 作成中 and the like outside code", marks},

	{"anchors", messages.Accuracy, 0.5, "links to a place in the document that is not there", anchors},
	{"links", messages.Accuracy, 0.5, "links without a target, with one that cannot be, or broken in their syntax", brokenLinks},
	{"references", messages.Accuracy, 0.5, "labels, footnotes, numbered sections and tables that are referred to and not defined", references},
	{"code", messages.Accuracy, 0.5, "code blocks that do not close, are empty, or do not parse: Go, JSON, XML, and the quotes of shell lines", codeBlocks},
	{"characters", messages.Accuracy, 0.5, "mojibake, replacement and control characters", characters},
	{"phrases", messages.Accuracy, 0.6, "words that cannot follow each other, as when one is missing or doubled", phrases},

	{"headings", messages.Clarity, 0.4, "the ladder of headings: no step is left out, one title, no two alike beside each other", ladder},
	{"sentence length", messages.Clarity, 0.4, "sentences over 35 words, or 90 letters in Japanese", sentenceLength},
	{"repetition", messages.Clarity, 0.5, "paragraphs and sentences that are said twice", repetition},
	{"cohesion", messages.Clarity, 0.4, "sentences speak of what their neighbours and their heading speak of, more than of what is far away", cohesion},
	{"order", messages.Clarity, 0.4, "connectives connect to something, and what is announced with a colon follows", order},
	{"style", messages.Clarity, 0.2, "plain and polite Japanese (だ・である, です・ます) are not mixed", style},

	{"numbering", messages.Usability, 0.4, "numbered lists and headings count in order", numbering},
	{"tables", messages.Usability, 0.4, "every row of a table has the columns of its head", tableColumns},
	{"navigation", messages.Usability, 0.3, "long stretches without a heading, and long paragraphs", navigation},
	{"link texts", messages.Usability, 0.2, "links whose text says nothing: here, click here, こちら", linkTexts},
	{"examples", messages.Usability, 0.4, "code, lists, tables and links that a reader can act on", examples},
	{"code labels", messages.Usability, 0.1, "fenced code that names its language", codeLabels},
}

// counted is the fault of n things: each one more counts, ever less, and less in
// a long text.
func (p *page) counted(n float64) float64 { return n / (n + 6*p.size) }

// say is a note's text in the language of the document: its author reads it.
func (p *page) say(en, ja string, args ...any) string {
	if p.japanese {
		return fmt.Sprintf(ja, args...)
	}
	return fmt.Sprintf(en, args...)
}

// collect makes a finding of notes whose costs are how many things they are.
func (p *page) collect(notes []note) finding {
	n := 0.0
	for _, one := range notes {
		n += one.cost
	}
	return finding{p.counted(n), notes}
}

// quote is the beginning of a text, short enough to stand in a note.
func quote(text string) string {
	const most = 40
	n := 0
	for i := range text {
		if n++; n > most {
			return plain(text[:i]) + "…"
		}
	}
	return plain(text)
}
