package dev.errand.cli.command;

import dev.errand.cli.render.ShortIds;
import dev.errand.cli.render.TaskText;
import dev.errand.cli.render.Times;
import dev.errand.cli.terminal.SafeText;
import dev.errand.wire.client.TaskStatus;
import dev.errand.wire.client.WaitResult;
import java.time.Duration;

/** What {@code wait} prints about a task: its status, or the condition that was met. */
final class AwaitedText {

  private AwaitedText() {}

  static String of(TaskStatus task) {
    var id = ShortIds.of(task.taskId());
    return (id + " " + task.status() + " " + TaskText.outcome(task)).strip();
  }

  static String of(WaitResult awaited) {
    var held = awaited.held();
    if (held == null || held.kind().equals("exit")) {
      return of(awaited.status());
    }
    return ShortIds.of(awaited.status().taskId()) + " " + SafeText.line(text(held));
  }

  private static String text(WaitResult.Held held) {
    var fields = held.fields();
    var snippet = held.snippet() == null ? "" : held.snippet();
    return switch (held.kind()) {
      case "text" ->
          "text " + fields.text("stream", "") + "@" + fields.number("offset", 0) + " " + snippet;
      case "idle_ms" -> "idle " + Times.span(Duration.ofMillis(fields.number("idle_ms", 0)));
      case "port" -> "port " + fields.text("address", "") + " pid " + fields.number("pid", 0);
      case "ready" -> "ready";
      case "prompt" -> "prompt (" + fields.text("confidence", "") + ") " + snippet;
      default -> held.kind() + " " + snippet;
    };
  }
}
