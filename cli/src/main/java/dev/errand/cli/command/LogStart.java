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
 * Where {@code logs} begins: behind which frame, and how much of what follows is left out.
 *
 * <p>A task goes on writing while we count, so {@code headSeq} is the last frame that counts. The
 * order of two streams is known by frames only, so the end of a log is found by going back over
 * frames in growing steps until they hold enough.
 */
record LogStart(
    long afterSeq, long headSeq, OutputSkip.Unit unit, long skipped, @Nullable LogStream only) {
  private static final String TAIL = "--tail";
  private static final String TAIL_BYTES = "--tail-bytes";
  private static final String SINCE = "--since";

  /** The options of which at most one may be given. */
  static final List<String> OPTIONS = List.of(TAIL, TAIL_BYTES, SINCE);

  private static final long FIRST_STEP_FRAMES = 64;
  private static final int STEP_GROWTH = 4;

  static void addTo(CommandSpec spec) {
    spec.addOption(Specs.count("N", "begin with the last N lines", "-t", TAIL));
    spec.addOption(Specs.size("begin with the last so many bytes", TAIL_BYTES));
    spec.addOption(
        Specs.checked(
            Values::since,
            "SEQ|DURATION",
            "begin with this frame, or with what is at most this old",
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
      long lines = parsed.matchedOptionValue(TAIL, 0);
      return new Tail(OutputSkip.Unit.LINES, lines, only).find(client, taskId);
    }
    if (parsed.hasMatchedOption(TAIL_BYTES)) {
      var bytes = parsed.matchedOptionValue(TAIL_BYTES, 0L);
      return new Tail(OutputSkip.Unit.BYTES, bytes, only).find(client, taskId);
    }
    var after = after(client, taskId, parsed, clock);
    return new LogStart(after, Long.MAX_VALUE, OutputSkip.Unit.BYTES, 0, only);
  }

  /** Passes on what is wanted of what was there, and with {@code follow} of what comes later. */
  OutputSink sink(OutputSink behind, boolean follow) {
    var wanted = skipped == 0 ? behind : new OutputSkip(unit, skipped, only, behind);
    return follow ? wanted : new OutputUntil(headSeq, wanted);
  }

  /** The wish for so much of the end. */
  private record Tail(OutputSkip.Unit unit, long wanted, @Nullable LogStream only) {

    LogStart find(ErrandClient client, TaskId taskId) {
      var last = client.status(taskId).lastSeq();
      for (var step = FIRST_STEP_FRAMES; ; step *= STEP_GROWTH) {
        var after = Math.max(-1, last - step);
        var counted = new OutputSkip(unit, Long.MAX_VALUE, only, (_, _, _) -> {});
        client.play(taskId, after, new OutputUntil(last, counted));
        if (after < 0 || counted.seen() >= wanted) {
          return new LogStart(after, last, unit, Math.max(0, counted.seen() - wanted), only);
        }
      }
    }
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

  /**
   * The last frame that is older than this; found by halving, since frames are in order of time.
   */
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
