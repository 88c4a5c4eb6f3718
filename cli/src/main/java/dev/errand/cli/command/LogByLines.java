package dev.errand.cli.command;

import dev.errand.cli.terminal.Console;
import dev.errand.cli.terminal.SafeText;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.OutputMatches;
import dev.errand.wire.client.OutputSearch;
import dev.errand.wire.json.JsonFields;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;

/** {@code logs} by lines: a range of lines, or those that match a pattern. */
final class LogByLines {
  private static final String LINES = "--lines";
  private static final String SEARCH = "--search";
  private static final String CONTEXT = "--context";
  private static final int PAGE_LINES = 1_000;

  private final ParseResult parsed;
  private final boolean json;

  private LogByLines(ParseResult parsed) {
    this.parsed = parsed;
    this.json = Specs.has(parsed, Specs.JSON);
  }

  static void addTo(CommandSpec spec) {
    spec.addOption(
        Specs.checked(
            Values::lineRange, "A:B", "only these lines of the stream, both included", LINES));
    spec.addOption(Specs.text("REGEX", "only lines that match (RE2), with their numbers", SEARCH));
    spec.addOption(Specs.count("N", "with --search: lines around a match", "-C", CONTEXT));
  }

  /** Null if no lines are requested; refuses options that do not apply to lines. */
  static @Nullable LogByLines of(ParseResult parsed, List<String> others) {
    var lines = parsed.hasMatchedOption(LINES);
    var search = parsed.hasMatchedOption(SEARCH);
    if (parsed.hasMatchedOption(CONTEXT) && !search) {
      throw new UsageException("--context needs --search");
    }
    if (!lines && !search) {
      return null;
    }
    var isMixed =
        others.stream().anyMatch(parsed::hasMatchedOption)
            || LogStart.OPTIONS.stream().anyMatch(parsed::hasMatchedOption);
    if (isMixed || (lines && search)) {
      throw new UsageException(
          "--lines and --search exclude each other, and allow only --stream and --json besides");
    }
    return new LogByLines(parsed);
  }

  void show(ErrandClient client, TaskId taskId, @Nullable LogStream only, Console console) {
    var streams = only == null ? streams(client, taskId) : List.of(only);
    if (parsed.hasMatchedOption(LINES)) {
      lines(client, taskId, streams.getFirst(), console);
      return;
    }
    for (var stream : streams) {
      search(client, taskId, stream, streams.size() > 1 ? stream.word() + ":" : "", console);
    }
  }

  private static List<LogStream> streams(ErrandClient client, TaskId taskId) {
    return client.status(taskId).hasTerminal()
        ? List.of(LogStream.PTY)
        : List.of(LogStream.STDOUT, LogStream.STDERR);
  }

  private void lines(ErrandClient client, TaskId taskId, LogStream stream, Console console) {
    var range = parsed.matchedOptionValue(LINES, "");
    var colon = range.indexOf(':');
    var next = Math.max(1, number(colon < 0 ? range : range.substring(0, colon), 1));
    var last = colon < 0 ? next : number(range.substring(colon + 1), Long.MAX_VALUE);
    while (next <= last) {
      var count = (int) Math.min(PAGE_LINES, last - next + 1);
      var page = client.lines(taskId, stream, next, count);
      print(page.fields(), page.lines(), next, console);
      if (page.isPartial() || page.lines().isEmpty()) {
        return;
      }
      next = page.nextLine();
    }
  }

  private static long number(String digits, long whenMissing) {
    return digits.isEmpty() ? whenMissing : Long.parseLong(digits);
  }

  private void print(JsonFields answer, List<String> lines, long first, Console console) {
    var number = first;
    for (var line : lines) {
      if (json) {
        var at = number;
        console.print(
            JsonLines.object(out ->
                out.text("type", "line")
                    .text("task_id", answer.text("task_id"))
                    .text("stream", answer.text("stream"))
                    .number("line", at)
                    .text("text", line)));
      } else {
        console.print(safe(line, console));
      }
      number++;
    }
  }

  private void search(
      ErrandClient client, TaskId taskId, LogStream stream, String prefix, Console console) {
    var context = parsed.matchedOptionValue(CONTEXT, 0);
    var search = OutputSearch.of(parsed.matchedOptionValue(SEARCH, "")).withContext(context);
    var shownTo = 0L;
    while (true) {
      var answer = client.search(taskId, stream, search);
      if (json) {
        answer.fields().node().path("matches").forEach(it -> printJson(answer, it, console));
      } else {
        shownTo = print(answer, prefix, context > 0, shownTo, console);
      }
      if (!answer.isUnfinished()) {
        return;
      }
      search = search.from(answer.nextOffset());
    }
  }

  private static void printJson(OutputMatches answer, JsonNode match, Console console) {
    console.print(
        JsonLines.object(out -> {
          out.text("type", "match");
          out.text("task_id", answer.fields().text("task_id"));
          out.text("stream", answer.fields().text("stream"));
          out.node("match", match);
        }));
  }

  /** Like grep: shared context lines once, and a separator where lines are left out. */
  private static long print(
      OutputMatches answer, String prefix, boolean context, long shownTo, Console console) {
    var shown = shownTo;
    for (var match : answer.matches()) {
      var first = match.line() - match.before().size();
      if (context && shown > 0 && first > shown + 1) {
        console.print("--");
      }
      shown = around(match.before(), first, prefix, shown, console);
      console.print(prefix + match.line() + ":" + safe(match.text(), console));
      shown = after(answer, match, prefix, Math.max(shown, match.line()), console);
    }
    return shown;
  }

  private static long around(
      List<String> lines, long first, String prefix, long shownTo, Console console) {
    var shown = shownTo;
    for (var i = 0; i < lines.size(); i++) {
      if (first + i > shown) {
        console.print(prefix + (first + i) + "-" + safe(lines.get(i), console));
        shown = first + i;
      }
    }
    return shown;
  }

  /** Up to the next match, which is printed as such. */
  private static long after(
      OutputMatches answer, OutputMatches.Match match, String prefix, long shown, Console console) {
    var next =
        answer.matches().stream()
            .mapToLong(OutputMatches.Match::line)
            .filter(it -> it > match.line())
            .min()
            .orElse(Long.MAX_VALUE);
    var until = (int) Math.min(match.after().size(), next - match.line() - 1);
    return around(match.after().subList(0, until), match.line() + 1, prefix, shown, console);
  }

  private static String safe(String line, Console console) {
    return console.terminal().outIsTerminal() ? SafeText.block(line) : line;
  }
}
