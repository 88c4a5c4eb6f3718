-- Who started a task that was removed, and which sessions stood above it: they are told that it was.
ALTER TABLE tombstones ADD COLUMN spawned_by TEXT;

CREATE TABLE removed_descent (
  task_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  PRIMARY KEY (task_id, session_id)
) WITHOUT ROWID;
