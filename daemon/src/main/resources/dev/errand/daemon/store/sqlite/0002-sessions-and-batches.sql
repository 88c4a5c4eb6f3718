-- The batch of a task, if it has one; it never changes.
ALTER TABLE tasks ADD COLUMN batch_id TEXT;
CREATE INDEX tasks_by_batch ON tasks (batch_id, id, session_id) WHERE batch_id IS NOT NULL;

-- The sessions that were ended and not opened again.
CREATE TABLE sessions (
  session_id TEXT PRIMARY KEY,
  ended_at_ms INTEGER NOT NULL
) WITHOUT ROWID;
