-- Inboxes. AUTOINCREMENT, because a position must not come again: cursors are positions. A notice
-- whose acknowledged_at_ms is 0 is still to be delivered; what is acknowledged goes with its task.
CREATE TABLE notices (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  session_id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  label TEXT,
  kind TEXT NOT NULL,
  event TEXT,
  status TEXT NOT NULL,
  exit_code INTEGER,
  elapsed_ms INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  merged INTEGER NOT NULL,
  acknowledged_at_ms INTEGER NOT NULL
);

CREATE INDEX notices_waiting ON notices (session_id, position) WHERE acknowledged_at_ms = 0;
CREATE INDEX notices_by_session ON notices (session_id, position);
CREATE INDEX notices_by_task ON notices (task_id);

-- Small values that are kept for a session under a name, such as where a delivery stands.
CREATE TABLE memos (
  name TEXT NOT NULL,
  session_id TEXT NOT NULL,
  value BLOB NOT NULL,
  PRIMARY KEY (name, session_id)
) WITHOUT ROWID;
