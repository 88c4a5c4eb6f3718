package dev.errand.daemon.tool.task;

import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.output.PlainText;
import dev.errand.daemon.output.Tails;
import dev.errand.daemon.task.Batches;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolServices;
import dev.errand.daemon.tool.text.TaskSheet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads of tasks what tools tell: how they stand, how far they are, what they wrote last. */
public final class TaskReader {
  /** Of what a task wrote, in its result. */
  public static final int RESULT_CHARS_MAX = 4_096;

  private static final int LINE_CHARS_MAX = 200;

  /** Of a session with more tasks the newest are counted, and it is said that there are more. */
  private static final int LOOKED_AT_MAX = 10_000;

  /** The beginning of an id is shown up to one of its dashes, as far as it is needed. */
  private static final List<Integer> SHORT_ID_CHARS = List.of(8, 13, 18, 23);

  private final ToolServices services;
  private final FrameCodec codec;
  private final Tails tails;
  private final Batches batches;

  public TaskReader(ToolServices services, FrameCodec codec, Tails tails) {
    this.services = services;
    this.codec = codec;
    this.tails = tails;
    this.batches =
        new Batches(
            services.tasks().engine(),
            services.tasks().tasks(),
            services.tasks().views(),
            services.clock());
  }

  public long nowMs() {
    return services.clock().millis();
  }

  public TaskSheet sheet(TaskRow row) {
    return new TaskSheet(services.tasks().views().view(row));
  }

  public TaskSheet sheet(TaskId taskId) {
    return new TaskSheet(services.tasks().views().view(taskId));
  }

  /** The row as it is now; the one that was chosen may be old. */
  public TaskRow row(TaskId taskId) {
    return services.tasks().views().rowOf(taskId);
  }

  /** Tasks of the session that is meant and what these have started, newest first. */
  public List<TaskRow> list(ToolCall call, @Nullable Boolean active, int limit) {
    return services
        .tasks()
        .engine()
        .rows(
            new TaskQuery(call.session(), null, null, Set.of(), active, null, limit)
                .withDescendants());
  }

  /**
   * Shows the same ones by one, without a limit but {@link #LOOKED_AT_MAX}; false where there are
   * more.
   */
  public boolean each(ToolCall call, @Nullable Boolean active, Consumer<TaskRow> visitor) {
    @Nullable TaskId before = null;
    for (var seen = 0; seen < LOOKED_AT_MAX; seen += TaskQuery.LIMIT_MAX) {
      var query =
          new TaskQuery(call.session(), null, null, Set.of(), active, before, TaskQuery.LIMIT_MAX);
      var page = services.tasks().engine().rows(query.withDescendants());
      page.forEach(visitor);
      if (page.size() < TaskQuery.LIMIT_MAX) {
        return true;
      }
      before = page.getLast().id();
    }
    return false;
  }

  /** All tasks of a batch of the session that is meant, newest first; there is at least one. */
  public Batches.Batch batch(ToolCall call, String batchId) {
    return batches.of(call.session(), batchId);
  }

  /** Waits for a batch, and answers with it as it is then. */
  public Batches.Batch awaitBatch(
      ToolCall call, String batchId, Batches.Mode mode, Duration timeout)
      throws InterruptedException {
    try (var _ = call.ask().slot()) {
      return batches.await(call.session(), batchId, mode, timeout);
    }
  }

  /** How many notices of the session that is meant nobody has acknowledged. */
  long unreadNotices(ToolCall call) {
    return services.tasks().journal().unacknowledged(call.session());
  }

  /** As much of an id as tells it from all others. */
  public String shortId(String id) {
    for (var chars : SHORT_ID_CHARS) {
      var prefix = id.substring(0, Math.min(chars, id.length()));
      if (services.tasks().journal().idsWithPrefix(prefix, 2).size() < 2) {
        return prefix;
      }
    }
    return id;
  }

  /** The end of what it wrote, and how it ended if it is over. */
  public String result(TaskSheet sheet) {
    var tail = tails.of(sheet.view().id(), RESULT_CHARS_MAX).stripTrailing();
    if (!sheet.isOver()) {
      return tail;
    }
    var left = sheet.left().isEmpty() ? "" : "\n(" + sheet.left() + ")";
    return tail + (tail.isEmpty() ? "" : "\n") + "(" + sheet.ending() + ")" + left;
  }

  public String lastLine(TaskSheet sheet) {
    return PlainText.lastLine(tails.of(sheet.view().id(), 2 * LINE_CHARS_MAX), LINE_CHARS_MAX);
  }

  /** The last line and how much was written. */
  public String progress(TaskSheet sheet) {
    var line = lastLine(sheet);
    return (line.isEmpty() ? "" : line + " ") + "(" + sheet.bytesText() + ")";
  }

  /** When anything last happened to it. */
  public Instant lastUpdate(TaskSheet sheet) {
    var stream = StreamKey.of(sheet.view().id());
    var journal = services.tasks().journal();
    var frames = journal.read(stream, journal.lastSeq(stream) - 1, 1);
    var ms =
        frames.isEmpty()
            ? sheet.createdAtMs()
            : codec.decodeTask(frames.getFirst()).head().timestampMs();
    return Instant.ofEpochMilli(ms);
  }
}
