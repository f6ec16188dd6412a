-- +goose Up
CREATE TABLE groups(
  num         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL,
  status      TEXT NOT NULL DEFAULT 'active' CHECK(status IN('active','deleted')),
  created_by  TEXT NOT NULL,
  idem_key    TEXT,
  created_at  INTEGER NOT NULL,
  deleted_at  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX groups_key ON groups(created_by, idem_key) WHERE idem_key IS NOT NULL;
CREATE INDEX groups_active ON groups(num) WHERE status = 'active';

-- One RunAgents: its stages go one after another.
CREATE TABLE orders(
  num        INTEGER PRIMARY KEY,
  group_id   TEXT NOT NULL REFERENCES groups(id),
  created_by TEXT NOT NULL,
  idem_key   TEXT,
  request    TEXT NOT NULL,               -- a digest: the same key must mean the same
  stages     INTEGER NOT NULL,
  stage      INTEGER NOT NULL DEFAULT 0   -- the one that runs
) STRICT;
CREATE UNIQUE INDEX orders_key ON orders(created_by, idem_key) WHERE idem_key IS NOT NULL;

-- An agent is a task with one turn. Its place among the personas, under the
-- name agent:<id>, lasts until it ends.
CREATE TABLE agents(
  num        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  group_id   TEXT NOT NULL REFERENCES groups(id),
  order_num  INTEGER NOT NULL REFERENCES orders(num),
  stage      INTEGER NOT NULL,
  task_id    TEXT NOT NULL UNIQUE REFERENCES tasks(id),
  role       TEXT NOT NULL,
  driver     TEXT NOT NULL,
  model      TEXT NOT NULL,
  dir        TEXT NOT NULL,
  isolation  TEXT NOT NULL CHECK(isolation IN('none','worktree')),
  timeout    INTEGER NOT NULL,            -- milliseconds from its start
  rehearsal  INTEGER NOT NULL,
  status     TEXT NOT NULL CHECK(status IN('queued','running','completed','failed','timed_out','cancelled','lost')),
  created_by TEXT NOT NULL,
  run        TEXT NOT NULL DEFAULT '{}',  -- messages.Run
  report     TEXT NOT NULL DEFAULT '',    -- messages.Report, '' = none yet
  queued_at  INTEGER NOT NULL,
  started_at INTEGER NOT NULL DEFAULT 0,
  ended_at   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX agents_group ON agents(group_id, num);
CREATE INDEX agents_open ON agents(group_id, num) WHERE status IN('queued','running');
CREATE INDEX agents_stage ON agents(order_num, stage, num);

-- What the health checks of roles found: they cost money.
CREATE TABLE health(
  key   TEXT PRIMARY KEY,
  found TEXT NOT NULL                     -- messages.HealthCheck
) STRICT, WITHOUT ROWID;
