package evaluate

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"go/parser"
	"go/token"
	"io"
	"strings"
)

func codeBlocks(p *page) finding {
	var notes []note
	for _, c := range p.codes {
		switch why := p.unparsed(c); {
		case c.swallows > 0:
			notes = append(notes, note{c.swallows, 3, p.say("a code block begins within the one of line %d, which is not closed", "%d行目のコードブロックが閉じないまま、次のブロックが始まっている", c.line)})
		case !c.closed:
			notes = append(notes, note{c.line, 3, p.say("this code block is not closed", "コードブロックが閉じていない")})
		case strings.TrimSpace(c.text) == "":
			notes = append(notes, note{c.line, 1, p.say("this code block is empty", "コードブロックが空")})
		case why != "":
			notes = append(notes, note{c.line, 1, p.say("this %s does not parse: %s", "この %s は構文が正しくない: %s", c.language, quote(why))})
		}
	}
	return p.collect(notes)
}

// unparsed says why a block is not in the language that it names, "" if it is or
// if we do not know the language. Ellipses stand for what is left out.
func (p *page) unparsed(c code) string {
	if strings.Contains(c.text, "...") || strings.ContainsAny(c.text, "…❌✅") {
		return "" // it shows what is left out, or what is wrong
	}
	switch c.language {
	case "go", "golang":
		return goFault(c.text)
	case "json":
		return jsonFault(c.text)
	case "xml", "svg":
		return xmlFault(c.text)
	case "sh", "bash", "shell", "zsh":
		return p.quotes(c.text)
	}
	return ""
}

// goFault accepts a file, declarations or statements: examples are seldom whole.
func goFault(text string) string {
	// Imports before statements are no Go, and yet how examples are written.
	if head, rest, ok := strings.Cut(text, ")\n"); ok && strings.HasPrefix(strings.TrimSpace(head), "import (") {
		text = rest
	} else if head, rest, ok := strings.Cut(strings.TrimSpace(text), "\n"); ok && strings.HasPrefix(head, "import \"") {
		text = rest
	}
	var first error
	for _, around := range [][2]string{{"", ""}, {"package p\n", ""}, {"package p\nfunc _() {\n", "\n}"}, {"package p\nvar _ = T{\n", "\n}"}} {
		_, err := parser.ParseFile(token.NewFileSet(), "", around[0]+text+around[1], parser.SkipObjectResolution)
		if err == nil {
			return ""
		}
		if first == nil || around[1] == "\n}" && strings.HasPrefix(around[0], "package p\nfunc") {
			first = err
		}
	}
	_, why, _ := strings.Cut(first.Error(), ": ")
	return why
}

// jsonFault accepts one value after another, and lines of them.
func jsonFault(text string) string {
	if strings.Contains(text, "//") || strings.Contains(text, "/*") {
		return "" // with comments it is another language
	}
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var value json.RawMessage
		if err := d.Decode(&value); errors.Is(err, io.EOF) {
			return ""
		} else if err != nil {
			return err.Error()
		}
	}
}

func xmlFault(text string) string {
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := d.RawToken(); errors.Is(err, io.EOF) {
			return ""
		} else if err != nil {
			return err.Error()
		}
	}
}

// quotes sees whether a shell would go on reading behind the last line.
func (p *page) quotes(text string) string {
	if strings.Contains(text, "<<") {
		return "" // what is in a here-document is no shell
	}
	var in byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && in != '\'':
			i++
		case in != 0 && c == in:
			in = 0
		case in == 0 && c == '#' && (i == 0 || text[i-1] == ' ' || text[i-1] == '\n'):
			if end := strings.IndexByte(text[i:], '\n'); end >= 0 {
				i += end
			} else {
				i = len(text)
			}
		case in == 0 && (c == '\'' || c == '"' || c == '`'):
			in = c
		}
	}
	if in != 0 {
		return p.say("a quotation mark is left open", "引用符が閉じていない")
	}
	return ""
}

func codeLabels(p *page) finding {
	var notes []note
	for _, c := range p.codes {
		if c.fenced && c.language == "" {
			notes = append(notes, note{c.line, 0.3, p.say("name the language of this code block", "コードブロックの言語名を書く")})
		}
	}
	return p.collect(notes)
}
