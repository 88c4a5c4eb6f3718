package dev.errand.core.session;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A durable message in a session's inbox about one of its tasks. It is stored in the same commit as
 * the frame that caused it, and delivered until it is acknowledged.
 *
 * @param event the event name of the watcher; only for notices of watchers
 * @param seq the frame that caused it
 * @param merged how many notices it represents, itself included
 */
public record Notice(
    String id,
    Subject subject,
    Kind kind,
    @Nullable String event,
    Standing standing,
    long seq,
    long atMs,
    int merged) {

  /** The session that receives it, and the task it is about. */
  public record Subject(SessionId sessionId, TaskId taskId, @Nullable String label) {}

  /** How the task stood after that frame; the exit code is absent unless its process has ended. */
  public record Standing(StatusWord status, @Nullable Integer exitCode, long elapsedMs) {
    public Duration elapsed() {
      return Duration.ofMillis(elapsedMs);
    }
  }

  /** What it tells of. */
  public enum Kind {
    ENDED,

    /** Its process has started, or it waits for another attempt. */
    STATE_CHANGED,

    /** One of its watchers saw what it watches for. */
    WATCHER,

    /** A person has to answer before it can go on. */
    WAITING_FOR_INPUT,

    /** Its readiness condition is met. */
    READY,

    /** One of its watchers matched too often and was silenced. */
    SILENCED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static Kind ofWord(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }

  /** The same, representing this many notices. */
  public Notice standingFor(int count) {
    return new Notice(id, subject, kind, event, standing, seq, atMs, count);
  }
}
