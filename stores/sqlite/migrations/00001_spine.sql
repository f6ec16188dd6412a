-- +goose Up
-- Times are unix milliseconds (UTC), 0 where there is none. SQL has no clock.
CREATE TABLE meta(
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE personas(
  name       TEXT PRIMARY KEY,
  reports_to TEXT NOT NULL,
  gather     TEXT NOT NULL CHECK(gather IN('all','each')),
  epoch      INTEGER NOT NULL DEFAULT 0,   -- raised by every incarnation
  session    TEXT NOT NULL DEFAULT '',     -- resumable from here …
  border     TEXT NOT NULL DEFAULT '',     -- … at this message
  stopped    INTEGER NOT NULL DEFAULT 0,   -- by a person
  risen_at   INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE tasks(
  num         INTEGER PRIMARY KEY,          -- order of asking
  id          TEXT NOT NULL UNIQUE,
  parent_id   TEXT REFERENCES tasks(id),
  root_id     TEXT NOT NULL,
  depth       INTEGER NOT NULL,
  requester   TEXT NOT NULL,
  owner       TEXT NOT NULL,
  request_id  TEXT NOT NULL,
  idem_key    TEXT,
  status      TEXT NOT NULL CHECK(status IN('queued','running','waiting','completed','failed','cancelled','timed_out')),
  consumed    INTEGER NOT NULL DEFAULT 0,   -- the parent has read the answer
  result      TEXT NOT NULL DEFAULT '',
  code        TEXT NOT NULL DEFAULT '',
  deadline_at INTEGER NOT NULL DEFAULT 0,
  created_at  INTEGER NOT NULL,
  started_at  INTEGER NOT NULL DEFAULT 0,
  finished_at INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX tasks_children ON tasks(parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX tasks_root ON tasks(root_id);
CREATE UNIQUE INDEX tasks_key ON tasks(requester, idem_key) WHERE idem_key IS NOT NULL;
CREATE INDEX tasks_deadline ON tasks(deadline_at) WHERE deadline_at > 0 AND status IN('queued','running','waiting');

CREATE TABLE messages(
  seq            INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,
  from_agent     TEXT NOT NULL,
  to_agent       TEXT NOT NULL,
  type           TEXT NOT NULL CHECK(type IN('task_request','task_response','task_complete','task_failed','info','error')),
  content        TEXT NOT NULL,
  thinking       TEXT NOT NULL,
  priority       TEXT NOT NULL,
  task_id        TEXT,
  root_id        TEXT NOT NULL,               -- the root task, or the note that began a talk without one
  correlation_id TEXT NOT NULL,
  reply_to       TEXT NOT NULL,
  ttl            INTEGER NOT NULL,
  sent_at        INTEGER NOT NULL
) STRICT;
CREATE INDEX messages_root ON messages(root_id, seq);
CREATE INDEX messages_reply ON messages(reply_to) WHERE reply_to <> '';

-- One recipient a message, so a delivery is named by its message's seq.
CREATE TABLE deliveries(
  seq       INTEGER PRIMARY KEY REFERENCES messages(seq),
  to_agent  TEXT NOT NULL,
  kind      TEXT NOT NULL CHECK(kind IN('request','reply','note')),
  state     TEXT NOT NULL CHECK(state IN('pending','inflight','acked','dead','expired','cancelled','parked')),
  held      INTEGER NOT NULL DEFAULT 0,     -- an answer that waits for its siblings
  rank      INTEGER NOT NULL,               -- sent_at less the boost: the lowest goes first
  attempts  INTEGER NOT NULL DEFAULT 0,
  next_at   INTEGER NOT NULL DEFAULT 0,     -- not before
  due_at    INTEGER NOT NULL DEFAULT 0,     -- expires, while pending
  epoch     INTEGER NOT NULL DEFAULT 0,     -- of the life that holds it
  task_id   TEXT REFERENCES tasks(id),      -- the task its turn is bound to
  answers   TEXT REFERENCES tasks(id),      -- the sub-task that a reply answers
  leased_at INTEGER NOT NULL DEFAULT 0,
  ended_at  INTEGER NOT NULL DEFAULT 0,
  error     TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX deliveries_ready ON deliveries(to_agent, held, rank, seq) WHERE state = 'pending';
CREATE INDEX deliveries_inflight ON deliveries(to_agent) WHERE state = 'inflight';
CREATE INDEX deliveries_bound ON deliveries(task_id) WHERE task_id IS NOT NULL; -- a condition on state would keep most queries from using it
CREATE INDEX deliveries_due ON deliveries(due_at) WHERE state = 'pending' AND due_at > 0;
CREATE INDEX deliveries_next ON deliveries(next_at) WHERE state = 'pending' AND next_at > 0;

CREATE TABLE events(
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  at      INTEGER NOT NULL,
  kind    TEXT NOT NULL,
  id      TEXT NOT NULL,
  task_id TEXT,
  root_id TEXT,
  data    TEXT NOT NULL
) STRICT;

CREATE TABLE comm_log(
  seq          INTEGER PRIMARY KEY,
  at           INTEGER NOT NULL,
  from_agent   TEXT NOT NULL,
  to_agent     TEXT NOT NULL,
  message_type TEXT NOT NULL,
  message_size INTEGER NOT NULL,
  duration_ms  REAL NOT NULL,
  success      INTEGER NOT NULL,
  error        TEXT NOT NULL,
  level        TEXT NOT NULL
) STRICT;
