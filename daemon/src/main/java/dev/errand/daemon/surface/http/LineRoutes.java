package dev.errand.daemon.surface.http;

import com.google.re2j.Pattern;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.output.LinesJson;
import dev.errand.daemon.output.LogLines;
import dev.errand.daemon.output.LogSpan;
import dev.errand.daemon.output.SearchRequest;
import dev.errand.daemon.pattern.BoundedPattern;
import dev.errand.daemon.verb.Printable;
import dev.errand.wire.http.HttpBounds;
import dev.errand.wire.http.Params;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Output of a task by lines: some of them by their numbers, or those that match a pattern. */
final class LineRoutes {
  private static final List<String> OF_BYTES =
      List.of(Params.MAX_BYTES, Params.TAIL_BYTES, Params.ENCODING);
  private static final List<String> OF_LINES = List.of(Params.LINE, Params.LINES);
  private static final List<String> OF_SEARCH =
      List.of(Params.SEARCH, Params.CONTEXT, Params.LIMIT, Params.FROM_LINE);

  private final LogLines lines;
  private final ComputePool compute;

  LineRoutes(LogLines lines, ComputePool compute) {
    this.lines = lines;
    this.compute = compute;
  }

  /** Whether lines are asked for, and not bytes. */
  static boolean areMeant(Call call) {
    var byNumber = has(call, OF_LINES);
    var bySearch = has(call, OF_SEARCH);
    if (!byNumber && !bySearch) {
      return false;
    }
    if ((byNumber && bySearch) || has(call, OF_BYTES)) {
      throw Call.invalid(
          "ask for bytes (offset_bytes, max_bytes, tail_bytes), lines (line, lines) or matches"
              + " (search, context, limit, from_line), not for several at once");
    }
    return true;
  }

  private static boolean has(Call call, List<String> names) {
    return names.stream().anyMatch(it -> call.query(it) != null);
  }

  ObjectNode output(Call call, TaskLog log) throws InterruptedException {
    var share = call.caller().share(compute);
    var span = new LogSpan(log.taskId(), log.stream(), log.total(), log.ended());
    if (call.query(Params.SEARCH) != null) {
      return LinesJson.of(span, lines.search(share, span, request(call)));
    }
    if (has(call, OF_SEARCH)) {
      throw Call.invalid("context, limit and from_line go with search");
    }
    if (call.query(Params.OFFSET_BYTES) != null) {
      throw Call.invalid("lines are counted from line, not from offset_bytes");
    }
    var first = call.queryNumber(Params.LINE, 1, 1, Long.MAX_VALUE);
    var count =
        (int) call.queryNumber(Params.LINES, HttpBounds.LINES_DEFAULT, 1, HttpBounds.LINES_MAX);
    return LinesJson.of(span, lines.lines(share, span, first, count));
  }

  private static SearchRequest request(Call call) {
    return new SearchRequest(
        pattern(String.valueOf(call.query(Params.SEARCH))),
        (int) call.queryNumber(Params.CONTEXT, 0, 0, HttpBounds.CONTEXT_LINES_MAX),
        (int) call.queryNumber(Params.LIMIT, HttpBounds.MATCHES_DEFAULT, 1, HttpBounds.MATCHES_MAX),
        from(call));
  }

  private static Pattern pattern(String text) {
    try {
      return BoundedPattern.compileQuick(text, 0);
    } catch (IllegalArgumentException e) {
      throw Call.invalid(
          "search is no RE2 pattern: " + Printable.of(String.valueOf(e.getMessage())));
    }
  }

  private static SearchRequest.From from(Call call) {
    var line = call.query(Params.FROM_LINE);
    var offset = call.query(Params.OFFSET_BYTES);
    if (line != null && offset != null) {
      throw Call.invalid("a search begins at from_line or at offset_bytes, not at both");
    }
    return offset == null
        ? new SearchRequest.From.Line(call.queryNumber(Params.FROM_LINE, 1, 1, Long.MAX_VALUE))
        : new SearchRequest.From.Offset(
            call.queryNumber(Params.OFFSET_BYTES, 0, 0, Long.MAX_VALUE));
  }
}
