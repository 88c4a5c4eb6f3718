-- What a notice tells, as a digest: a new one takes the place of an unacknowledged one of the same task
-- that tells the same. Notices of before have none, and stay as they are.
ALTER TABLE notices ADD COLUMN likeness TEXT;

CREATE INDEX notices_by_likeness ON notices (task_id, likeness)
  WHERE acknowledged_at_ms = 0 AND likeness IS NOT NULL;
