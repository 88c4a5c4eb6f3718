-- The home that this journal belongs to, and the folder that it was in at the last start; null until
-- the first start. Numbers of devices are those of one boot.
ALTER TABLE meta ADD COLUMN home_id TEXT;
ALTER TABLE meta ADD COLUMN home_device INTEGER;
ALTER TABLE meta ADD COLUMN home_inode INTEGER;
ALTER TABLE meta ADD COLUMN home_boot TEXT;
