-- +goose Up
-- A job is work that an actor of ours leads. Its agents live in a group of its
-- own, which has the job's id and its kind.
ALTER TABLE groups ADD COLUMN kind TEXT NOT NULL DEFAULT '';
DROP INDEX groups_active;
CREATE INDEX groups_active ON groups(num) WHERE status = 'active' AND kind = '';

ALTER TABLE agents ADD COLUMN terms TEXT NOT NULL DEFAULT ''; -- messages.Terms, '' = none

CREATE TABLE jobs(
  num        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  kind       TEXT NOT NULL CHECK(kind IN('eval','run','chat')),
  title      TEXT NOT NULL,
  session    TEXT NOT NULL,
  status     TEXT NOT NULL DEFAULT 'running' CHECK(status IN('running','completed','failed','cancelled')),
  state      TEXT NOT NULL,
  input      TEXT NOT NULL,
  output     TEXT NOT NULL DEFAULT '',
  code       TEXT NOT NULL DEFAULT '',
  error      TEXT NOT NULL DEFAULT '',
  created_by TEXT NOT NULL,
  idem_key   TEXT,
  created_at INTEGER NOT NULL,
  ended_at   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX jobs_key ON jobs(created_by, idem_key) WHERE idem_key IS NOT NULL;
CREATE INDEX jobs_kind ON jobs(kind, num);
CREATE INDEX jobs_session ON jobs(session, num) WHERE session <> '';
CREATE INDEX jobs_open ON jobs(num) WHERE status = 'running';

CREATE TABLE job_entries(
  job_num INTEGER NOT NULL REFERENCES jobs(num),
  seq     INTEGER NOT NULL,
  at      INTEGER NOT NULL,
  kind    TEXT NOT NULL,
  body    TEXT NOT NULL,
  PRIMARY KEY(job_num, seq)
) STRICT, WITHOUT ROWID;

-- What a job may not do without a person's word.
CREATE TABLE approvals(
  num         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  job_num     INTEGER NOT NULL REFERENCES jobs(num),
  kind        TEXT NOT NULL CHECK(kind IN('delete','command')),
  content     TEXT NOT NULL,
  asked_at    INTEGER NOT NULL,
  allowed     INTEGER,                    -- NULL = nobody has answered
  answered_at INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX approvals_job ON approvals(job_num);
CREATE INDEX approvals_open ON approvals(num) WHERE allowed IS NULL;

-- Plans of runs, under a hash of everything that they were made from.
CREATE TABLE plans(
  hash    TEXT PRIMARY KEY,
  plan    TEXT NOT NULL,                  -- messages.Plan
  kept_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
