package evaluate

import "strings"

func tableColumns(p *page) finding {
	var notes []note
	for _, t := range p.tables {
		for n := t.line + 2; n <= len(p.starts); n++ { // behind the head and its rule
			line := strings.TrimSpace(p.line(n))
			if !strings.Contains(line, "|") {
				break
			}
			if got := columns(line); got != t.columns {
				notes = append(notes, note{n, 0.7, p.say("this row has %d columns, its table has %d", "この行は%d列。表は%d列", got, t.columns)})
			}
		}
	}
	return p.collect(notes)
}

// columns counts the cells of a row. A bar behind a backslash is no border.
func columns(row string) int {
	row = strings.TrimPrefix(row, "|")
	n := 1
	for i := 0; i < len(row); i++ {
		switch row[i] {
		case '\\':
			i++
		case '|':
			if strings.TrimSpace(row[i+1:]) != "" {
				n++
			}
		}
	}
	return n
}
