-- A checksum of each frame and of each view row; null in what was written before there were any.
ALTER TABLE frames ADD COLUMN sum INTEGER;
ALTER TABLE tasks ADD COLUMN sum INTEGER;

-- The first frame of a stream that was found damaged.
CREATE TABLE damage (
  stream_kind INTEGER NOT NULL,
  stream_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (stream_kind, stream_id)
) WITHOUT ROWID;
