-- +goose Up
-- Money is in micro-dollars.
ALTER TABLE tasks ADD COLUMN granted INTEGER NOT NULL DEFAULT 0;      -- to this root, beyond usd_per_task
ALTER TABLE deliveries ADD COLUMN reserved INTEGER NOT NULL DEFAULT 0; -- while in flight
ALTER TABLE deliveries ADD COLUMN parked TEXT NOT NULL DEFAULT '';     -- why: task, day, reserved, rate
ALTER TABLE deliveries ADD COLUMN rests INTEGER NOT NULL DEFAULT 0;     -- attempts that were nobody's fault
ALTER TABLE personas ADD COLUMN billed INTEGER NOT NULL DEFAULT 0;     -- what its session had cost at the border

CREATE TABLE spending(
  seq           INTEGER PRIMARY KEY,
  at            INTEGER NOT NULL,
  day           TEXT NOT NULL,
  persona       TEXT NOT NULL,
  driver        TEXT NOT NULL,
  model         TEXT NOT NULL,
  task_id       TEXT,
  root_id       TEXT,
  micros        INTEGER NOT NULL,
  input_tokens  INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cached_tokens INTEGER NOT NULL
) STRICT;
CREATE INDEX spending_day ON spending(day, micros);
CREATE INDEX spending_root ON spending(root_id, micros) WHERE root_id IS NOT NULL;

CREATE TABLE grants(
  day    TEXT PRIMARY KEY,
  micros INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX deliveries_parked ON deliveries(parked) WHERE state = 'parked';
DROP INDEX deliveries_next;
CREATE INDEX deliveries_next ON deliveries(next_at) WHERE state IN('pending','parked') AND next_at > 0;
