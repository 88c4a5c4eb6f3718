package dev.errand.daemon.maintenance;

import dev.errand.core.engine.Engine;
import dev.errand.core.journal.InboxChange;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.session.SessionEvent;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.task.ResultReads;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records that a result was delivered for the first time. Where the task's own session reads it,
 * what its inbox says about the task is acknowledged with that; others may look without taking
 * anything away. A mark that gets lost costs nothing but a later removal and a notice of what is
 * known.
 */
public final class ReadMarks implements ResultReads {
  private static final Logger log = LoggerFactory.getLogger(ReadMarks.class);

  /** Ids that need not be looked up again. */
  private static final int REMEMBERED_MAX = 10_000;

  private final Engine engine;
  private final Journal journal;
  private final InstantSource clock;

  /** Those that their own session has read. */
  private final Map<TaskId, Boolean> marked = Collections.synchronizedMap(new Remembered());

  public ReadMarks(Engine engine, Journal journal, InstantSource clock) {
    this.engine = engine;
    this.journal = journal;
    this.clock = clock;
  }

  @Override
  public void read(TaskId taskId, Reader reader) {
    if (marked.containsKey(taskId)) {
      return;
    }
    try {
      // Not the journal's: a damaged row must not be written back as if it were whole.
      var row = engine.row(taskId).orElse(null);
      if (row == null || !row.active()) {
        mark(taskId, row, reader);
      }
    } catch (RuntimeException e) {
      // What is not marked now is marked when it is read again.
      log.debug("task {} is not marked as read", taskId, e);
    }
  }

  /**
   * @param row absent where the task was removed after it was read, and there is only the notice
   *     left to acknowledge
   */
  private void mark(TaskId taskId, @Nullable TaskRow row, Reader reader) {
    var sessionId = row == null ? reader.session() : row.sessionId();
    var first = row != null && row.lifetime().readAtMs() == 0;
    var own = sessionId.equals(reader.session());
    var ids = own ? journal.unacknowledged(sessionId, taskId) : List.<String>of();
    if (first || !ids.isEmpty()) {
      record(sessionId, taskId, first ? row : null, ids, reader.by());
    }
    if (own) {
      marked.put(taskId, true);
    }
  }

  private void record(
      SessionId sessionId, TaskId taskId, @Nullable TaskRow unread, List<String> ids, String by) {
    var at = clock.millis();
    List<SessionEvent> events = new ArrayList<>();
    events.add(
        unread == null
            ? new SessionEvent.NoticesAcknowledged(ids, by)
            : new SessionEvent.ResultRead(taskId, by));
    engine.record(
        sessionId,
        events,
        batch -> {
          batch.lazily();
          if (unread != null) {
            batch.row(unread.readAt(at));
          }
          if (!ids.isEmpty()) {
            batch.inbox(new InboxChange.Acknowledged(sessionId, ids, at));
          }
        });
  }

  private static final class Remembered extends LinkedHashMap<TaskId, Boolean> {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<TaskId, Boolean> eldest) {
      return size() > REMEMBERED_MAX;
    }
  }
}
