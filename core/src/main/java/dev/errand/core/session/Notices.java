package dev.errand.core.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.WatchSpec;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which events make a notice, according to the settings of the task; the one rule for all notices.
 */
public final class Notices {
  /** So many that two different hits never get the same. */
  private static final int LIKENESS_BYTES = 16;

  private Notices() {}

  /** An event that is about to be recorded as frame {@code seq}, and how the task stands then. */
  public record Happened(
      TaskId taskId, TaskEvent event, TaskState.Present after, long seq, long atMs) {}

  /** The notice of what happened, where there is one. */
  public static Optional<Notice> of(Happened happened, Supplier<String> ids) {
    var kind = kind(happened.event(), happened.after());
    var spec = happened.after().facts().spec();
    if (kind == null || !wanted(kind, spec.watching().tells())) {
      return Optional.empty();
    }
    var origin = spec.origin();
    return Optional.of(
        new Notice(
            ids.get(),
            new Notice.Subject(origin.sessionId(), happened.taskId(), origin.label()),
            kind,
            watcherEvent(happened.event()),
            standing(happened),
            happened.seq(),
            happened.atMs(),
            count(happened.event())));
  }

  /**
   * Equal for events that tell the same: hits of one watcher that saw the same. It is a digest,
   * because a notice outlives what its task wrote. Null where each event counts for itself.
   */
  public static @Nullable String likeness(TaskEvent event) {
    return event instanceof TaskEvent.WatcherHit hit
        ? digest(hit.event() + '\n' + hit.snippet())
        : null;
  }

  private static String digest(String text) {
    try {
      var sha256 = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return HexFormat.of().formatHex(sha256, 0, LIKENESS_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** A held task was answered, so its approval notice is obsolete. */
  public static boolean answers(TaskState before, TaskState.Present after) {
    return before instanceof TaskState.Held && !(after instanceof TaskState.Held);
  }

  private static Notice.@Nullable Kind kind(TaskEvent event, TaskState.Present after) {
    return switch (event) {
      case TaskEvent.Spawned _ ->
          after instanceof TaskState.Held ? Notice.Kind.WAITING_FOR_INPUT : null;
      case TaskEvent.Started _, TaskEvent.Requeued _ -> Notice.Kind.STATE_CHANGED;
      case TaskEvent.WatcherHit _ -> Notice.Kind.WATCHER;
      case TaskEvent.WatcherSilenced _ -> Notice.Kind.SILENCED;
      case TaskEvent.BecameReady _ -> Notice.Kind.READY;
      case TaskEvent.Ended _ -> Notice.Kind.ENDED;
      case TaskEvent.Approved _,
          TaskEvent.Denied _,
          TaskEvent.Attempted _,
          TaskEvent.Output _,
          TaskEvent.OutputMerged _,
          TaskEvent.OutputGap _,
          TaskEvent.OutputLost _,
          TaskEvent.StdinWritten _,
          TaskEvent.PromptSeen _,
          TaskEvent.Signalled _,
          TaskEvent.Resized _,
          TaskEvent.KillStepped _,
          TaskEvent.LimitPassed _,
          TaskEvent.CancelRequested _,
          TaskEvent.ArtifactWritten _,
          TaskEvent.Cancelled _,
          TaskEvent.Unknown _ ->
          null;
    };
  }

  private static boolean wanted(Notice.Kind kind, WatchSpec.Notify tells) {
    return switch (tells) {
      case SILENT -> false;
      case STATE_CHANGES -> true;
      case DONE_ONLY ->
          switch (kind) {
            case ENDED, WATCHER, WAITING_FOR_INPUT, SILENCED -> true;
            case STATE_CHANGED, READY -> false;
          };
    };
  }

  private static @Nullable String watcherEvent(TaskEvent event) {
    if (event instanceof TaskEvent.WatcherSilenced silenced) {
      return silenced.event();
    }
    return event instanceof TaskEvent.WatcherHit hit ? hit.event() : null;
  }

  /** Hits that came together are one frame, but each of them counts. */
  private static int count(TaskEvent event) {
    return event instanceof TaskEvent.WatcherHit hit
        ? Math.clamp(hit.count(), 1, Integer.MAX_VALUE)
        : 1;
  }

  private static Notice.Standing standing(Happened happened) {
    var known = happened.after().facts();
    var end = happened.after() instanceof TaskState.Ended it ? it.end() : null;
    var exit = end == null ? null : end.exit();
    var until = end == null ? happened.atMs() : end.atMs();
    var elapsed = known.everStarted() ? Math.max(0, until - known.startedAtMs()) : 0;
    return new Notice.Standing(
        StatusWord.of(happened.after()), exit == null ? null : exit.code(), elapsed);
  }
}
