package dev.errand.cli.command;

import dev.errand.cli.render.Progress;
import dev.errand.cli.terminal.SafeText;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.JsonFields;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand gc}: runs the clean-up of the daemon now. */
final class GcCommand implements CliCommand {

  @Override
  public CommandSpec spec() {
    return Specs.verb(
        "gc",
        new Specs.About(
            "Delete expired data now",
            "",
            """
            Removes tasks whose retention is over, and content that no task refers to. The daemon \
            does the same from time to time by itself. What a live or kept task needs stays.\
            """,
            List.of("errand gc", "errand gc --json")));
  }

  @Override
  public int run(ParseResult parsed, Context context) throws InterruptedException {
    try (var client = context.daemon().connect()) {
      var report = withProgress(client, context);
      context
          .console()
          .print(Specs.has(parsed, Specs.JSON) ? Json.text(report.node()) : text(report));
      return ExitCode.OK.number();
    }
  }

  /** One long request: only the elapsed time can be shown as progress. */
  private static JsonFields withProgress(ErrandClient client, Context context)
      throws InterruptedException {
    var done = new CountDownLatch(1);
    var ticker =
        Thread.ofVirtual()
            .start(() -> {
              try (var progress = new Progress(context.console(), "cleaning up")) {
                for (var tenths = 0; !done.await(100, TimeUnit.MILLISECONDS); tenths++) {
                  progress.note("… " + tenths / 10 + " s");
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    try {
      return client.gc();
    } finally {
      done.countDown();
      ticker.join();
    }
  }

  private static String text(JsonFields report) {
    return report.node().properties().stream()
        .map(it -> it.getKey().replace('_', ' ') + ": " + Json.text(it.getValue()))
        .map(SafeText::line)
        .collect(Collectors.joining("\n"));
  }
}
