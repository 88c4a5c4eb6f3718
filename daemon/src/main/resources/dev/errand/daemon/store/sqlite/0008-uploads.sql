-- Which sessions uploaded an artifact, each with its own time. Those of task_id '' in artifacts were
-- uploaded before sessions were recorded.
CREATE TABLE uploads (
  sha256 TEXT NOT NULL,
  session_id TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (sha256, session_id)
) WITHOUT ROWID;

CREATE INDEX uploads_by_time ON uploads (at_ms);
