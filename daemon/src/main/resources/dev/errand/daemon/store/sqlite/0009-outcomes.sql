-- What schedulers, cascades and batches ask of a row, so that they need not read its status text. The
-- checksum of a row leaves them out: they repeat what the status text says, which it covers.
ALTER TABLE tasks ADD COLUMN exit_code INTEGER;
ALTER TABLE tasks ADD COLUMN cancel_requested INTEGER NOT NULL DEFAULT 0;

UPDATE tasks SET
  exit_code = json_extract(CAST(status_text AS TEXT), '$.exit_code'),
  cancel_requested = coalesce(json_type(CAST(status_text AS TEXT), '$.cancel_requested') = 'object', 0)
WHERE json_valid(CAST(status_text AS TEXT));
