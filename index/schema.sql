-- Made anew when schemaVersion differs: there are no migrations of what can be
-- made again.
CREATE TABLE meta (k TEXT PRIMARY KEY, v TEXT NOT NULL) WITHOUT ROWID;

-- The dictionary, a run of words a row, parted by line ends; first is the number
-- of the first.
CREATE TABLE term (first INTEGER PRIMARY KEY, words BLOB NOT NULL);

CREATE TABLE chunk (
  id     INTEGER PRIMARY KEY,
  hash   BLOB NOT NULL, -- of symbol and text; no path and no lines
  symbol TEXT NOT NULL,
  length INTEGER NOT NULL,
  terms  BLOB NOT NULL
);

-- chunks: for each chunk its id, first and last line, as varints.
CREATE TABLE blob (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, chunks BLOB NOT NULL);
CREATE TABLE body (blob INTEGER PRIMARY KEY, text BLOB NOT NULL);

CREATE TABLE file (
  path  TEXT PRIMARY KEY,
  blob  INTEGER NOT NULL, -- 0: skipped
  why   TEXT NOT NULL,
  size  INTEGER NOT NULL,
  mtime INTEGER NOT NULL,
  state INTEGER NOT NULL
) WITHOUT ROWID;

-- Outlives its chunk: who comes back to a branch asks for no vector twice.
CREATE TABLE vector (hash BLOB NOT NULL, model TEXT NOT NULL, scale REAL NOT NULL, v BLOB NOT NULL, PRIMARY KEY (hash, model)) WITHOUT ROWID;

-- What words have to do with each other, at most one row. rows: for each word its
-- number (4 bytes), what it says (a float of 4), and its direction (a byte a number).
CREATE TABLE latent (id INTEGER PRIMARY KEY, size INTEGER NOT NULL, newest INTEGER NOT NULL, rows BLOB NOT NULL);
