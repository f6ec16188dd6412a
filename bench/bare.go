package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver that stores/sqlite uses

	"kurogo/messages"
)

// bare is SQLite without us: the tables of the journal, the rows that a change
// leaves there, prepared statements, and nothing that looks before it writes.
type bare struct {
	conn  *sql.Conn
	db    *sql.DB
	stmts map[string]*sql.Stmt
	crew  []messages.Address
	work  chan asked
	over  chan struct{}

	seq    int64    // of the newest message
	tasks  []string // by the order of their requests
	seqs   []int64  // of their requests
	played int      // how many of them were answered
	words  words
}

// words are the events' data, which bare SQLite needs not encode.
type words struct{ accepted, task, delivery string }

// openBare opens a fresh file with the journal's schema and the crew in it.
func (b *bench) openBare(ctx context.Context, crew []messages.Address) (*bare, error) {
	dir, err := b.subdir("bare")
	if err != nil {
		return nil, err
	}
	h, err := openStore(ctx, dir)
	if err != nil {
		return nil, err
	}
	if err := h.enlist(ctx, crew); err != nil {
		return nil, err
	}
	if err := h.store.Close(); err != nil {
		return nil, err
	}
	const pragmas = "?_pragma=foreign_keys(1)&_pragma=temp_store(MEMORY)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=cache_size(-4000)&_pragma=journal_size_limit(67108864)"
	s := &bare{stmts: map[string]*sql.Stmt{}, crew: crew, work: make(chan asked, 1024), over: make(chan struct{}), words: sample()}
	if s.db, err = sql.Open("sqlite", "file:"+filepath.Join(dir, "kurogo.db")+pragmas); err != nil {
		return nil, err
	}
	if s.conn, err = s.db.Conn(ctx); err != nil {
		return nil, err
	}
	go s.write() //nolint:contextcheck // a statement that has begun is not called off
	return s, nil
}

func (s *bare) close() {
	close(s.work)
	<-s.over
	for _, st := range s.stmts {
		_ = st.Close()
	}
	_ = s.conn.Close()
	_ = s.db.Close()
}

// sample encodes what the events of one hop tell.
func sample() words {
	id := string(newMessageID())
	m := messages.CCMessage{ID: messages.MessageID(id), From: messages.User, To: "persona_10", Type: messages.TaskRequest, Content: body, Timestamp: time.Now()}
	m.Metadata = messages.Metadata{Timestamp: m.Timestamp, Priority: messages.Normal, TaskID: messages.TaskID(id)}
	t := messages.Task{ID: m.Metadata.TaskID, Root: m.Metadata.TaskID, Requester: messages.User, Owner: m.To, Request: m.ID, Priority: messages.Normal, Status: messages.Completed, Content: body, Result: body, CreatedAt: m.Timestamp}
	return words{
		accepted: encode(messages.Truncated{CCMessage: m}),
		task:     encode(t),
		delivery: encode(messages.Delivery{Message: m.ID, To: m.To, Attempt: 1}),
	}
}

func encode(v any) string {
	b, _ := json.Marshal(v) // our own words can be encoded
	return string(b)
}

// An asked is one sender's wish and the place of its answer.
type asked struct {
	sender int
	rows   func(*bare, int) error
	done   chan error
}

// group commits for many senders at once, as the store does.
func (s *bare) group(rows func(*bare, int) error) func(int) error {
	return func(sender int) error {
		done := make(chan error, 1)
		s.work <- asked{sender, rows, done}
		return <-done
	}
}

// write takes one, drains greedily, commits, answers.
func (s *bare) write() {
	defer close(s.over)
	for first := range s.work {
		batch := []asked{first}
		for more := true; more && len(batch) < 256; {
			select {
			case next, ok := <-s.work:
				if more = ok; ok {
					batch = append(batch, next)
				}
			default:
				more = false
			}
		}
		err := s.transact(batch)
		for _, a := range batch {
			a.done <- err
		}
	}
}

func (s *bare) transact(batch []asked) error {
	if err := s.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	for _, a := range batch {
		if err := a.rows(s, a.sender); err != nil {
			return err
		}
	}
	return s.exec("COMMIT")
}

func (s *bare) exec(query string, args ...any) error {
	st, ok := s.stmts[query]
	if !ok {
		var err error
		if st, err = s.conn.PrepareContext(context.Background(), query); err != nil {
			return err
		}
		s.stmts[query] = st
	}
	_, err := st.Exec(args...) //nolint:noctx // nobody cancels a statement
	return err
}

const (
	insertMessage  = `INSERT INTO messages(seq, id, from_agent, to_agent, type, content, thinking, priority, task_id, root_id, correlation_id, reply_to, ttl, sent_at) VALUES(?,?,?,?,?,?,'','normal',?,?,'',?,0,?)`
	insertDelivery = `INSERT INTO deliveries(seq, to_agent, kind, state, held, rank, due_at, task_id, answers, ended_at) VALUES(?,?,?,?,0,?,0,?,?,0)`
	insertTask     = `INSERT INTO tasks(id, root_id, depth, requester, owner, request_id, status, created_at) VALUES(?,?,0,'user',?,?,'queued',?)`
	insertEvent    = `INSERT INTO events(at, kind, id, task_id, root_id, data) VALUES(?,?,?,?,?,?)`
	insertLog      = `INSERT INTO comm_log(at, from_agent, to_agent, message_type, message_size, duration_ms, success, error, level) VALUES(?,?,?,?,500,1.5,1,'','info')`
)

// An entry is one statement with what it writes.
type entry struct {
	query string
	args  []any
}

func (s *bare) all(entries []entry) error {
	for _, e := range entries {
		if err := s.exec(e.query, e.args...); err != nil {
			return err
		}
	}
	return nil
}

// acceptRows are what an Accept leaves: a task, a message, a delivery, two events.
func acceptRows(s *bare, sender int) error {
	id, task, now, to := messages.NewID(), messages.NewID(), time.Now().UnixMilli(), string(s.crew[sender])
	s.seq++
	s.tasks, s.seqs = append(s.tasks, task), append(s.seqs, s.seq)
	return s.all([]entry{
		{insertTask, []any{task, task, to, id, now}},
		{insertMessage, []any{s.seq, id, "user", to, "task_request", body, task, task, "", now}},
		{insertDelivery, []any{s.seq, to, "request", "pending", now, task, nil}},
		{insertEvent, []any{now, "message:accepted", id, task, task, s.words.accepted}},
		{insertEvent, []any{now, "task:status_update", task, task, task, s.words.task}},
	})
}

// hopRows are what a hop leaves: the row acked, the task completed, the answer
// to the user, two lines of the log, five events, and the next row in flight.
func hopRows(s *bare, _ int) error {
	task, seq, next, after := s.tasks[s.played], s.seqs[s.played], s.tasks[s.played+1], s.seqs[s.played+1]
	s.played++
	s.seq++
	id, now, me := messages.NewID(), time.Now().UnixMilli(), string(s.crew[0])
	return s.all([]entry{
		{`UPDATE deliveries SET state = 'acked', ended_at = ? WHERE seq = ?`, []any{now, seq}},
		{insertLog, []any{now, "user", me, "task_request"}},
		{insertEvent, []any{now, "message:acked", id, task, task, s.words.delivery}},
		{`UPDATE personas SET session = ?, border = ? WHERE name = ?`, []any{task, id, me}},
		{`UPDATE tasks SET status = 'completed', result = ?, finished_at = ? WHERE id = ?`, []any{body, now, task}},
		{insertMessage, []any{s.seq, id, me, "user", "task_complete", body, task, task, id, now}},
		{insertDelivery, []any{s.seq, "user", "reply", "acked", now, nil, task}},
		{insertLog, []any{now, me, "user", "task_complete"}},
		{insertEvent, []any{now, "message:accepted", id, task, task, s.words.accepted}},
		{insertEvent, []any{now, "task:status_update", task, task, task, s.words.task}},
		{`UPDATE deliveries SET state = 'inflight', attempts = 1, epoch = 1, leased_at = ? WHERE seq = ?`, []any{now, after}},
		{insertEvent, []any{now, "message:delivered", id, next, next, s.words.delivery}},
		{`UPDATE tasks SET status = 'running', started_at = ? WHERE id = ?`, []any{now, next}},
		{insertEvent, []any{now, "task:status_update", next, next, next, s.words.task}},
	})
}
