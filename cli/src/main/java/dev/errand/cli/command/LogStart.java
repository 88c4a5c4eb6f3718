package dev.errand.cli.command;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.OutputSink;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * Where {@code logs} begins: after which frame, and at which byte of one stream.
 *
 * @param headSeq the last frame of the task when the start was computed
 * @param stream the stream of the offset; absent if no bytes are left out
 */
record LogStart(long afterSeq, long headSeq, @Nullable LogStream stream, long offset) {
  private static final String TAIL = "--tail";
  private static final String TAIL_BYTES = "--tail-bytes";
  private static final String SINCE = "--since";

  /** The options of which at most one may be given. */
  static final List<String> OPTIONS = List.of(TAIL, TAIL_BYTES, SINCE);

  /** With everything after a frame. */
  static LogStart behind(long afterSeq, long headSeq) {
    return new LogStart(afterSeq, headSeq, null, 0);
  }

  static void addTo(CommandSpec spec) {
    spec.addOption(Specs.count("N", "begin with the last N lines", "-t", TAIL));
    spec.addOption(Specs.size("begin with the last bytes, this many", TAIL_BYTES));
    spec.addOption(
        Specs.checked(
            Values::since,
            "SEQ|DURATION",
            "begin with this frame, or with output at most this old",
            SINCE));
  }

  static void check(ParseResult parsed) {
    if (OPTIONS.stream().filter(parsed::hasMatchedOption).count() > 1) {
      throw new UsageException("give only one of --tail, --tail-bytes and --since");
    }
  }

  static LogStart find(
      ErrandClient client,
      TaskId taskId,
      ParseResult parsed,
      @Nullable LogStream only,
      InstantSource clock) {
    if (parsed.hasMatchedOption(TAIL)) {
      return new LogTail(client, taskId, only).lines(parsed.matchedOptionValue(TAIL, 0));
    }
    if (parsed.hasMatchedOption(TAIL_BYTES)) {
      return new LogTail(client, taskId, only).bytes(parsed.matchedOptionValue(TAIL_BYTES, 0L));
    }
    return behind(after(client, taskId, parsed, clock), Long.MAX_VALUE);
  }

  /** Passes on the selected output, and with {@code follow} the later output. */
  OutputSink sink(OutputSink behind, boolean follow) {
    return new OutputSlice(this, follow ? Long.MAX_VALUE : headSeq, behind);
  }

  private static long after(
      ErrandClient client, TaskId taskId, ParseResult parsed, InstantSource clock) {
    if (!parsed.hasMatchedOption(SINCE)) {
      return -1;
    }
    var since = since(parsed);
    if (Values.isSeq(since)) {
      return Long.parseLong(since) - 1;
    }
    return before(client, taskId, clock.millis() - Values.duration(since).toMillis());
  }

  /** The last frame that is older than this, by binary search. */
  private static long before(ErrandClient client, TaskId taskId, long timestampMs) {
    long older = -1;
    var newer = client.status(taskId).lastSeq() + 1;
    while (newer - older > 1) {
      var middle = (older + newer) >>> 1;
      if (timestampOf(client, taskId, middle) < timestampMs) {
        older = middle;
      } else {
        newer = middle;
      }
    }
    return older;
  }

  private static long timestampOf(ErrandClient client, TaskId taskId, long seq) {
    try (var frames = client.history(taskId, seq - 1)) {
      var frame = frames.next();
      return frame == null ? Long.MAX_VALUE : frame.timestampMs();
    }
  }

  private static String since(ParseResult parsed) {
    return parsed.matchedOptionValue(SINCE, "");
  }
}
