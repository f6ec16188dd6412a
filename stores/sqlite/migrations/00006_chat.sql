-- +goose Up
-- A session is a job of the kind chat as a person sees it.
CREATE TABLE sessions(
  num              INTEGER PRIMARY KEY,
  id               TEXT NOT NULL UNIQUE REFERENCES jobs(id),
  title            TEXT,                        -- NULL = nobody has named it
  summary          TEXT NOT NULL DEFAULT '',    -- of the talk up to …
  summarised       INTEGER NOT NULL DEFAULT 0,  -- … this question, by its num
  created_by       TEXT NOT NULL,
  idem_key         TEXT,
  created_at       INTEGER NOT NULL,
  updated_at       INTEGER NOT NULL,
  last_activity_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_activity ON sessions(last_activity_at, num);
CREATE UNIQUE INDEX sessions_key ON sessions(created_by, idem_key) WHERE idem_key IS NOT NULL;

CREATE TABLE chat_messages(
  num         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  session_num INTEGER NOT NULL REFERENCES sessions(num),
  role        TEXT NOT NULL CHECK(role IN('user','assistant')),
  content     TEXT NOT NULL,
  status      TEXT NOT NULL CHECK(status IN('pending','answered','stored','logged')),
  fallback    INTEGER NOT NULL DEFAULT 0,
  sources     TEXT NOT NULL DEFAULT '',         -- JSON, '' = none
  model       TEXT NOT NULL DEFAULT '',
  reply_to    TEXT,                             -- of an answer: the question
  plan        TEXT NOT NULL DEFAULT '',         -- JSON; of a pending question what it is answered from, of a stored answer its workflow
  created_by  TEXT NOT NULL DEFAULT '',
  idem_key    TEXT,
  created_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX chat_messages_session ON chat_messages(session_num, num);
CREATE INDEX chat_messages_due ON chat_messages(session_num, num) WHERE status IN('pending','stored');
CREATE UNIQUE INDEX chat_messages_answer ON chat_messages(reply_to) WHERE reply_to IS NOT NULL; -- nothing is answered twice
CREATE UNIQUE INDEX chat_messages_key ON chat_messages(created_by, idem_key) WHERE idem_key IS NOT NULL;

CREATE TABLE session_logs(
  num                 INTEGER PRIMARY KEY,
  session_num         INTEGER NOT NULL REFERENCES sessions(num),
  message_id          TEXT NOT NULL UNIQUE,     -- the answer
  user_input          TEXT NOT NULL,
  output              TEXT NOT NULL,
  rag_context         TEXT NOT NULL,
  evaluation_score    REAL,
  evaluation_feedback TEXT NOT NULL,
  workflow            TEXT NOT NULL,            -- JSON
  created_at          INTEGER NOT NULL
) STRICT;
CREATE INDEX session_logs_session ON session_logs(session_num, num);
