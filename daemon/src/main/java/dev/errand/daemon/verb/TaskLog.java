package dev.errand.daemon.verb;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.LogSpan;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskView;
import dev.errand.daemon.output.LogStore;
import dev.errand.daemon.task.TaskViews;
import java.io.ByteArrayOutputStream;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A log at one moment. Whether its task had ended is read before its length, so that an ended log
 * is complete at that length.
 */
record TaskLog(LogSpan span, @Nullable String artifactId) {

  /** What ends a page with earlier content; the next page starts with the refusal. */
  private static final Set<ErrorCode> STOPS =
      Set.of(ErrorCode.OUTPUT_DROPPED, ErrorCode.OUTPUT_DAMAGED);

  /** Finds the logs of tasks. */
  record Finder(TaskViews views, LogStore logs) {

    static Finder of(Verbs.Parts parts) {
      return new Finder(parts.work().views(), parts.output().logs());
    }

    /** {@code wanted} is null for standard output, or the terminal. */
    TaskLog find(TaskRow row, @Nullable LogStream wanted) {
      var facts = views.view(row).facts();
      var known = facts.progress().logs();
      var log =
          wanted == null
              ? known.getFirst()
              : known.stream()
                  .filter(it -> it.stream() == wanted)
                  .findFirst()
                  .orElseThrow(() -> noSuchStream(facts, wanted));
      // Recorded bytes are not gone because their file is.
      var total = Math.max(logs.total(row.id(), log.stream()), log.bytesTotal());
      return new TaskLog(
          new LogSpan(row.id(), log.stream(), total, !row.active()), log.artifactId());
    }

    private static ErrandException noSuchStream(TaskView.Facts facts, LogStream wanted) {
      var streams = facts.progress().logs().stream().map(it -> it.stream().word()).toList();
      return new ErrandException(
          ErrorCode.INVALID_REQUEST,
          "a task with %s has no stream %s; it has %s"
              .formatted(connection(facts.work()), wanted.word(), String.join(", ", streams)));
    }

    private static String connection(TaskView.Work work) {
      return switch (work) {
        case TaskView.OfCommand it -> it.mode().word();
      };
    }
  }

  /** Reads this many bytes, or fewer if a dropped range follows; the reader continues after it. */
  byte[] read(LogStore logs, long offset, int wanted) {
    var bytes = new ByteArrayOutputStream(Math.min(wanted, 1 << 20));
    while (bytes.size() < wanted) {
      var piece = next(logs, offset + bytes.size(), wanted - bytes.size(), bytes.size() > 0);
      if (piece.length == 0) {
        break;
      }
      bytes.writeBytes(piece);
    }
    return bytes.toByteArray();
  }

  private byte[] next(LogStore logs, long offset, int max, boolean hasSome) {
    try {
      return logs.read(span.taskId(), span.stream(), offset, max);
    } catch (ErrandException e) {
      if (hasSome && STOPS.contains(e.code())) {
        return new byte[0];
      }
      throw e;
    }
  }
}
