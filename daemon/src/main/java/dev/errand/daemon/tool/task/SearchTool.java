package dev.errand.daemon.tool.task;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.SearchFrom;
import dev.errand.core.task.SearchPage;
import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.tool.text.TaskSheet;
import dev.errand.daemon.verb.SearchOutput;
import dev.errand.daemon.verb.SearchPattern;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.json.LinesJson;
import dev.errand.wire.json.RequestFields;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** {@code task_search_output}: the lines of a task's output that match a pattern. */
final class SearchTool implements Tool {
  private static final int LIMIT = 20;
  private static final int LIMIT_MAX = 100;
  private static final int CONTEXT_MAX = 20;

  /** What a match takes in JSON beside its texts. */
  private static final int MATCH_CHARS = 100;

  private static final List<String> STREAMS =
      Stream.of(LogStream.values()).map(LogStream::word).toList();

  private static final Schema ARGUMENTS =
      Selection.schema()
          .text("pattern", "an RE2 pattern, for single lines; (?i) at its start ignores case")
          .required("pattern")
          .words("stream", "default: stdout, or pty of a terminal", STREAMS)
          .integer("context", "lines before and after a match; default: 0", 0, CONTEXT_MAX)
          .integer("limit", "how many matches; default: " + LIMIT, 1, LIMIT_MAX)
          .integer("from_line", "the line to begin with, from 1", 1, Long.MAX_VALUE)
          .integer("offset_bytes", "or the offset to begin at, to go on", 0, Long.MAX_VALUE)
          .maxChars();

  private static final Schema LEAN =
      Selection.lean()
          .brief("pattern", "string", "RE2, for single lines; (?i) ignores case")
          .required("pattern")
          .brief("context", "integer", "lines around a match")
          .brief("offset_bytes", "integer", "where to go on");

  private final Verbs verbs;
  private final SearchOutput search;

  SearchTool(Verbs verbs) {
    this.verbs = verbs;
    this.search = verbs.output().search();
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        "task_search_output",
        Toolset.TASKS,
        "Search the output of a task",
        "Finds the lines of a task's whole output that match a pattern, with their numbers, also"
            + " while it runs.",
        ARGUMENTS.json(),
        LEAN.json(),
        Annotations.READS);
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var fields = call.fields(ARGUMENTS.names());
    var task = new Selection(verbs).one(call, fields);
    var request = new SearchOutput.Request(task.id(), stream(task, fields), wanted(fields));
    var found = search.run(call.ask(), request);
    var page = fitted(withoutRepeats(found.page()), call.form().outputChars());
    return ToolResult.of(LinesJson.of(found.log(), page), text(task, page));
  }

  /** The stream that a call names, or the usual one of the task. */
  static LogStream stream(ShownTask task, RequestFields fields) {
    var streams = new TaskSheet(task.view()).logs().stream().map(it -> it.stream().word()).toList();
    var wanted = fields.word("stream", STREAMS);
    var stream = wanted == null ? streams.getFirst() : wanted;
    if (!streams.contains(stream)) {
      throw fields.refuse("stream", "one that the task has: " + String.join(", ", streams));
    }
    return LogStream.ofWord(stream).orElseThrow();
  }

  private static SearchOutput.Search wanted(RequestFields fields) {
    var context = fields.integer("context", 0, CONTEXT_MAX);
    var limit = fields.integer("limit", 1, LIMIT_MAX);
    return new SearchOutput.Search(
        pattern(fields),
        context == null ? 0 : context.intValue(),
        limit == null ? LIMIT : limit.intValue(),
        from(fields));
  }

  private static SearchPattern pattern(RequestFields fields) {
    var text = fields.requiredText("pattern", SearchPattern.CHARS_MAX);
    try {
      return SearchPattern.of(text);
    } catch (IllegalArgumentException e) {
      throw fields.refuse("pattern", "an RE2 pattern: " + e.getMessage());
    }
  }

  private static SearchFrom from(RequestFields fields) {
    var line = fields.integer("from_line", 1, Long.MAX_VALUE);
    var offset = fields.integer("offset_bytes", 0, Long.MAX_VALUE);
    if (line != null && offset != null) {
      throw RequestFields.invalid("begin at from_line or at offset_bytes, not at both");
    }
    return offset != null
        ? new SearchFrom.Offset(offset)
        : new SearchFrom.Line(line == null ? 1 : line);
  }

  /** As grep does it: a line that stands around two matches, or matches itself, is shown once. */
  private static SearchPage withoutRepeats(SearchPage page) {
    var matches = new ArrayList<SearchPage.Found>();
    var shownTo = 0L;
    for (var i = 0; i < page.matches().size(); i++) {
      var found = page.matches().get(i);
      var before = found.before();
      var shown = Math.clamp(shownTo + 1 - (found.line() - before.size()), 0, before.size());
      var next = i + 1 < page.matches().size() ? page.matches().get(i + 1).line() : Long.MAX_VALUE;
      var after = found.after();
      var until = Math.clamp(next - found.line() - 1, 0, after.size());
      matches.add(
          new SearchPage.Found(
              found.line(),
              found.offset(),
              found.text(),
              found.cut(),
              before.subList(shown, before.size()),
              after.subList(0, until)));
      shownTo = found.line() + until;
    }
    return new SearchPage(matches, page.next(), page.nextOffset(), page.more(), page.gaps());
  }

  /** As many of the matches as there is room for; the search then goes on at the next. */
  private static SearchPage fitted(SearchPage page, int room) {
    var left = room;
    for (var i = 0; i < page.matches().size(); i++) {
      var found = page.matches().get(i);
      left -= MATCH_CHARS + 2 * text(found).length();
      if (left < 0 && i > 0) {
        return new SearchPage(
            page.matches().subList(0, i), found.line(), found.offset(), true, page.gaps());
      }
    }
    return page;
  }

  private static String text(SearchPage.Found found) {
    var text = new StringBuilder();
    var before = found.line() - found.before().size();
    for (var i = 0; i < found.before().size(); i++) {
      text.append(before + i).append("- ").append(found.before().get(i)).append('\n');
    }
    text.append(found.line()).append(": ").append(found.text()).append('\n');
    for (var i = 0; i < found.after().size(); i++) {
      text.append(found.line() + 1 + i).append("- ").append(found.after().get(i)).append('\n');
    }
    return text.toString();
  }

  private static String text(ShownTask task, SearchPage page) {
    var text = new StringBuilder();
    page.matches().forEach(it -> text.append(text(it)));
    if (page.matches().isEmpty()) {
      text.append("no match\n");
    }
    var count = page.matches().size();
    text.append(
        "[%d matches in the output of %s]".formatted(count, new TaskSheet(task.view()).name()));
    if (page.more()) {
      text.append(
          "\nThere is more: go on with the same pattern, task_id: \"%s\" and offset_bytes: %d."
              .formatted(task.id().brief(), page.nextOffset()));
    }
    return text.toString();
  }
}
