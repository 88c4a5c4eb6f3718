-- One row: which journal this is, and who may write it.
CREATE TABLE meta (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  journal_id TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  owner TEXT NOT NULL
);

-- Every frame. AUTOINCREMENT, because a position must not come again after its frame was removed:
-- cursors are positions. stream_kind is 0 for a task and 1 for a session.
CREATE TABLE frames (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  stream_kind INTEGER NOT NULL,
  stream_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  text BLOB NOT NULL,
  UNIQUE (stream_kind, stream_id, seq)
);

-- The view rows. The long status text comes last, so that a filter need not step over it.
CREATE TABLE tasks (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  label TEXT,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  active INTEGER NOT NULL,
  ended_at_ms INTEGER NOT NULL,
  read_at_ms INTEGER NOT NULL,
  bytes_stored INTEGER NOT NULL,
  fold_version INTEGER NOT NULL,
  status_text BLOB NOT NULL
);

-- Finds a task by its id, and holds what the rarer filters ask for: a list of the few failed among
-- very many tasks walks this index and touches only the rows that it shows. It is one index and not
-- two, because each one is paid for by every task; so it is the writer who keeps ids unique.
CREATE INDEX tasks_by_id ON tasks (id, session_id, kind, status, active);
CREATE INDEX tasks_by_session ON tasks (session_id, id);
CREATE INDEX tasks_by_label ON tasks (label, id, session_id) WHERE label IS NOT NULL;
CREATE INDEX tasks_live ON tasks (id) WHERE active = 1;
CREATE INDEX tasks_ended ON tasks (ended_at_ms, id, read_at_ms, bytes_stored) WHERE ended_at_ms > 0;

-- What keeps an artifact; task_id is '' for an upload.
CREATE TABLE artifacts (
  sha256 TEXT NOT NULL,
  task_id TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (sha256, task_id)
) WITHOUT ROWID;

CREATE INDEX artifacts_by_task ON artifacts (task_id) WHERE task_id <> '';
CREATE INDEX artifacts_uploaded ON artifacts (at_ms) WHERE task_id = '';

CREATE TABLE tombstones (
  task_id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL,
  removed_at_ms INTEGER NOT NULL,
  reason TEXT NOT NULL,
  removed_by TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE replies (
  number INTEGER PRIMARY KEY,
  principal TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  key TEXT NOT NULL,
  task_id TEXT,
  at_ms INTEGER NOT NULL,
  body_digest TEXT NOT NULL,
  reply BLOB NOT NULL,
  UNIQUE (principal, method, path, key)
);

CREATE INDEX replies_by_time ON replies (at_ms);
