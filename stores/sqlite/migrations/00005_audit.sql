-- +goose Up
-- What was asked of the file gateway. Each row carries the hash of the one before.
CREATE TABLE audit(
  seq         INTEGER PRIMARY KEY,
  at          INTEGER NOT NULL,
  trace_id    TEXT NOT NULL,
  task        TEXT NOT NULL,
  actor       TEXT NOT NULL,
  method      TEXT NOT NULL,
  path        TEXT NOT NULL,
  size        INTEGER NOT NULL,
  status      INTEGER NOT NULL,
  reason      TEXT NOT NULL,
  hash_before TEXT NOT NULL,
  hash_after  TEXT NOT NULL,
  prev        TEXT NOT NULL,
  hash        TEXT NOT NULL
) STRICT;
CREATE INDEX audit_trace ON audit(trace_id, seq);
CREATE INDEX audit_task ON audit(task, seq) WHERE task <> '';

-- The last row as it was written: without it a cut tail would leave no gap.
CREATE TABLE audit_head(
  id   INTEGER PRIMARY KEY CHECK(id = 1),
  seq  INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT;
INSERT INTO audit_head(id, seq, hash) VALUES(1, 0, '');

-- +goose StatementBegin
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN
  SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN
  SELECT RAISE(ABORT, 'the audit trail is append-only');
END;
-- +goose StatementEnd
