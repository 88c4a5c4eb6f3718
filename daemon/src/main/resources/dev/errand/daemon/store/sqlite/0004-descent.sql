-- The task that started a task, if one did; it never changes.
ALTER TABLE tasks ADD COLUMN parent_id TEXT;

-- The sessions of all tasks that stand above a task, but for its own. Who is started inside the
-- session of its parent, as nearly all are, has no entry.
CREATE TABLE descent (
  session_id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  PRIMARY KEY (session_id, task_id)
) WITHOUT ROWID;

CREATE INDEX descent_by_task ON descent (task_id);

UPDATE tasks SET parent_id = json_extract(CAST(status_text AS TEXT), '$.parent_task_id')
WHERE json_extract(CAST(status_text AS TEXT), '$.parent_task_id') IS NOT NULL;

INSERT INTO descent (session_id, task_id)
WITH RECURSIVE above (task_id, ancestor_id) AS (
  SELECT id, parent_id FROM tasks WHERE parent_id IS NOT NULL
  UNION
  SELECT above.task_id, tasks.parent_id FROM above
  JOIN tasks ON tasks.id = above.ancestor_id AND tasks.parent_id IS NOT NULL
)
SELECT DISTINCT ancestor.session_id, above.task_id FROM above
JOIN tasks AS ancestor ON ancestor.id = above.ancestor_id
JOIN tasks AS own ON own.id = above.task_id AND own.session_id <> ancestor.session_id;
