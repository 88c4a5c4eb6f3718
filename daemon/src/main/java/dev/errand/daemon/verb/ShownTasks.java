package dev.errand.daemon.verb;

import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.condition.LiveProcesses;
import dev.errand.daemon.task.TaskViews;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Creates the answers of verbs about tasks. */
record ShownTasks(TaskViews views, Journal journal, FrameCodec codec, LiveProcesses processes) {
  /** The lengths of the prefixes that can stand for an id: each ends before a dash. */
  private static final List<Integer> SHORT_ID_CHARS = List.of(8, 13, 18, 23);

  /** The task of that id; if it does not exist, throws with the reason. */
  ShownTask of(TaskId taskId) {
    return of(views.rowOf(taskId));
  }

  ShownTask of(TaskRow row) {
    return new ShownTask(row, Map.of(), this);
  }

  /** The tasks of these rows; the queue is read once for all of them. */
  List<ShownTask> of(List<TaskRow> rows) {
    var places = views.places(rows);
    return rows.stream().map(it -> new ShownTask(it, places, this)).toList();
  }

  /** The first prefix that no other task has. */
  String shortId(TaskId taskId) {
    var id = taskId.value();
    for (var chars : SHORT_ID_CHARS) {
      var prefix = id.substring(0, Math.min(chars, id.length()));
      if (journal.idsWithPrefix(prefix, 2).size() < 2) {
        return prefix;
      }
    }
    return id;
  }

  OptionalLong changedAtMs(TaskId taskId) {
    var stream = StreamKey.of(taskId);
    var newest = journal.read(stream, journal.lastSeq(stream) - 1, 1);
    return newest.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(codec.decodeTask(newest.getFirst()).head().timestampMs());
  }
}
