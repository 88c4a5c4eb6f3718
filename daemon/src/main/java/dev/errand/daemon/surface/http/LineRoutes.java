package dev.errand.daemon.surface.http;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.SearchFrom;
import dev.errand.daemon.verb.Printable;
import dev.errand.daemon.verb.ReadLines;
import dev.errand.daemon.verb.SearchOutput;
import dev.errand.daemon.verb.SearchPattern;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.http.HttpBounds;
import dev.errand.wire.http.Params;
import dev.errand.wire.json.LinesJson;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The output of a task by lines: by line numbers, or by a pattern. */
final class LineRoutes {
  private static final List<String> OF_BYTES =
      List.of(Params.MAX_BYTES, Params.TAIL_BYTES, Params.ENCODING);
  private static final List<String> OF_LINES = List.of(Params.LINE, Params.LINES);
  private static final List<String> OF_SEARCH =
      List.of(Params.SEARCH, Params.CONTEXT, Params.LIMIT, Params.FROM_LINE);

  private final Verbs.OfOutput verbs;

  LineRoutes(Verbs.OfOutput verbs) {
    this.verbs = verbs;
  }

  /** Whether the call asks for lines instead of bytes. */
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

  ObjectNode output(Call call, @Nullable LogStream stream) throws InterruptedException {
    if (call.query(Params.SEARCH) != null) {
      var request = new SearchOutput.Request(call.taskId(), stream, search(call));
      var found = verbs.search().run(call.asker(), request);
      return LinesJson.of(found.log(), found.page());
    }
    if (has(call, OF_SEARCH)) {
      throw Call.invalid("context, limit and from_line can only be used with search");
    }
    if (call.query(Params.OFFSET_BYTES) != null) {
      throw Call.invalid("line and lines cannot be combined with offset_bytes");
    }
    var first = call.queryNumber(Params.LINE, 1, 1, Long.MAX_VALUE);
    var count =
        (int) call.queryNumber(Params.LINES, HttpBounds.LINES_DEFAULT, 1, HttpBounds.LINES_MAX);
    var request = new ReadLines.Request(call.taskId(), stream, first, count);
    var read = verbs.lines().run(call.asker(), request);
    return LinesJson.of(read.log(), read.page());
  }

  private static SearchOutput.Search search(Call call) {
    return new SearchOutput.Search(
        pattern(String.valueOf(call.query(Params.SEARCH))),
        (int) call.queryNumber(Params.CONTEXT, 0, 0, HttpBounds.CONTEXT_LINES_MAX),
        (int) call.queryNumber(Params.LIMIT, HttpBounds.MATCHES_DEFAULT, 1, HttpBounds.MATCHES_MAX),
        from(call));
  }

  private static SearchPattern pattern(String text) {
    try {
      return SearchPattern.of(text);
    } catch (IllegalArgumentException e) {
      throw Call.invalid(
          "search is not a valid RE2 pattern: " + Printable.of(String.valueOf(e.getMessage())));
    }
  }

  private static SearchFrom from(Call call) {
    var line = call.query(Params.FROM_LINE);
    var offset = call.query(Params.OFFSET_BYTES);
    if (line != null && offset != null) {
      throw Call.invalid("a search starts at from_line or at offset_bytes; give one of them");
    }
    return offset == null
        ? new SearchFrom.Line(call.queryNumber(Params.FROM_LINE, 1, 1, Long.MAX_VALUE))
        : new SearchFrom.Offset(call.queryNumber(Params.OFFSET_BYTES, 0, 0, Long.MAX_VALUE));
  }
}
