package sqlite

import (
	"strings"

	"kurogo/messages"
)

// What a change tells (its events, its lines of the communication log) is read
// by nobody within the transaction. So a batch collects it and writes it at its
// end: many rows with one statement cost a fraction of as many statements.

// A table names the columns that tell fills.
type table struct {
	into  string
	width int
}

var (
	eventTable = table{`events(at, kind, id, task_id, root_id, data)`, 6}
	logTable   = table{`comm_log(at, from_agent, to_agent, message_type, message_size, duration_ms, success, error, level)`, 9}
)

// tell writes what the steps of the batch have to tell, in their order, and
// gives every event its seq.
func (w *writer) tell() error {
	var events []*messages.Event
	var eventRows, logRows []any
	for _, st := range w.steps {
		logRows = append(logRows, st.logRows...)
		for i := range st.events {
			e := &st.events[i]
			events = append(events, e)
			eventRows = append(eventRows, ms(e.At), e.Kind, e.ID, null(string(e.Task)), null(string(e.Root)), string(e.Data))
		}
	}
	if _, err := w.insert(logTable, logRows); err != nil {
		return err
	}
	last, err := w.insert(eventTable, eventRows)
	for i, e := range events { // the seqs of one transaction have no gaps
		e.Seq = last - int64(len(events)-1-i)
	}
	return err
}

// insert writes rows, the values of all of them in one list, and returns the
// rowid of the last. A few sizes of statement do, so that each is prepared once.
func (w *writer) insert(t table, values []any) (last int64, err error) {
	for len(values) > 0 {
		n := 1
		for n < 64 && 4*n*t.width <= len(values) {
			n *= 4
		}
		row := "(" + strings.Repeat("?,", t.width-1) + "?)"
		r, err := w.result(`INSERT INTO `+t.into+` VALUES`+strings.Repeat(row+",", n-1)+row, values[:n*t.width]...)
		if err != nil {
			return 0, err
		}
		if last, err = r.LastInsertId(); err != nil {
			return 0, err
		}
		values = values[n*t.width:]
	}
	return last, nil
}
