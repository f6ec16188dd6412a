package evaluate

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

var named = regexp.MustCompile(`(?i)\b(?:id|name)\s*=\s*["']?([^"'\s>]+)`)

// places are the names that a link into the document may have: those of its
// headings, as the usual sites make them, and those given in HTML.
func (p *page) places() map[string]bool {
	out, count := map[string]bool{"": true, "top": true}, map[string]int{}
	for _, h := range p.headings {
		text, _, _ := strings.Cut(h.text, "{#") // some tools take a name from there
		name := slug(text)
		if n := count[name]; n > 0 { // a second one of the same name has -1, and so on
			out[name+"-"+strconv.Itoa(n)] = true
		}
		count[name]++
		out[name], out[strings.ReplaceAll(name, "_", "")] = true, true
		if _, id, ok := strings.Cut(h.text, "{#"); ok {
			out[strings.ToLower(strings.TrimSuffix(id, "}"))] = true
		}
	}
	for _, m := range named.FindAllStringSubmatch(p.text, -1) {
		out[strings.ToLower(m[1])] = true
	}
	return out
}

// slug is a heading's name in a link.
func slug(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '-':
			return '-'
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(text))
}

func anchors(p *page) finding {
	var notes []note
	var places map[string]bool
	for _, l := range p.links {
		name, ok := strings.CutPrefix(l.dest, "#")
		if !ok {
			continue
		}
		if places == nil {
			places = p.places()
		}
		if plain, err := url.PathUnescape(name); err == nil {
			name = plain
		}
		if name = strings.ToLower(name); !places[name] && !places[strings.ReplaceAll(name, "_", "")] {
			notes = append(notes, note{l.line, 1, p.say("the link to #%s leads nowhere", "#%s へのリンク先がない", quote(name))})
		}
	}
	return p.collect(notes)
}

func brokenLinks(p *page) finding {
	var notes []note
	for _, l := range p.links {
		if why := p.wrong(l.dest); why != "" {
			notes = append(notes, note{l.line, 1, p.say("the link %q has %s", "リンク「%s」は%s", quote(l.text), why)})
		}
	}
	for _, b := range p.blocks {
		for from := 0; ; {
			at := strings.Index(b.text[from:], "](")
			if at < 0 {
				break
			}
			notes = append(notes, note{b.line(from + at), 1, p.say("the brackets of this link do not close", "リンクの括弧が閉じていない")})
			from += at + 2
		}
	}
	return p.collect(notes)
}

// wrong says what is wrong with a target, "" if nothing can be seen.
func (p *page) wrong(dest string) string {
	u, err := url.Parse(dest)
	switch {
	case dest == "":
		return p.say("no target", "リンク先がない")
	case err != nil || strings.ContainsAny(dest, " <>\""):
		return p.say("a target that is no address", "リンク先が正しい形でない")
	case (u.Scheme == "http" || u.Scheme == "https") && (u.Host == "" || !strings.Contains(u.Host, ".") && u.Hostname() != "localhost"):
		return p.say("a target without a host", "リンク先にホストがない")
	case u.Scheme == "" && strings.HasPrefix(dest, "www."):
		return p.say("a target without https://", "リンク先に https:// がない")
	}
	return ""
}

var vague = set("here click this link more page click_here read_more this_link this_page こちら ここ リンク 詳細 詳しくはこちら")

func linkTexts(p *page) finding {
	var notes []note
	for _, l := range p.links {
		text := strings.ToLower(strings.ReplaceAll(strings.TrimSpace(l.text), " ", "_"))
		if !l.image && vague[text] {
			notes = append(notes, note{l.line, 1, p.say("let the link's text %q say where it leads", "リンクの文字「%s」で行き先が分かるようにする", quote(l.text))})
		}
	}
	return p.collect(notes)
}

func examples(p *page) finding {
	amount := 3*float64(p.shownCode()) + 2*float64(len(p.lists)) + 2*float64(len(p.tables)) + 0.5*float64(len(p.links))
	f := finding{fault: 1 / (1 + amount/8)}
	if amount < 2 {
		f.notes = append(f.notes, note{1, 1, p.say("give an example, a list of steps or a link to act on", "例、手順の一覧、または参照先のリンクを示す")})
	}
	return f
}
