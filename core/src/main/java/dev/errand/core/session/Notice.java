package dev.errand.core.session;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A durable message in a session's inbox: that something happened to one of its tasks. It is stored
 * in the commit of the frame that it tells of, and delivered until someone acknowledges it.
 *
 * @param event the name that the task's watcher gives to what it saw; just for what watchers see
 * @param seq the frame of the task that it tells of
 * @param merged how many notices it stands for, itself counted
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

  /** Whom it is for, and which task it is about. */
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

    /** The condition holds that it named as its readiness. */
    READY,

    /** One of its watchers saw so much that it tells no more. */
    SILENCED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static Kind ofWord(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }

  /** The same, standing for so many. */
  public Notice standingFor(int count) {
    return new Notice(id, subject, kind, event, standing, seq, atMs, count);
  }
}
