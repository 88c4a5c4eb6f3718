package dev.errand.cli.command;

import dev.errand.cli.render.TaskTable;
import dev.errand.cli.terminal.SafeText;
import dev.errand.wire.client.BatchClient;
import dev.errand.wire.client.TaskStatus;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.JsonFields;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand batch}: tasks that were spawned with one {@code --batch}, taken together. */
final class BatchCommand implements CliCommand {
  private static final String SESSION = "--session";
  private static final String REASON = "--reason";
  private static final String ANY = "--any";
  private static final String TIMEOUT = "--timeout";
  private static final Duration FOR_EVER = Duration.ofDays(365);

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "batch",
            new Specs.About(
                "Show, cancel or wait for all tasks of a batch",
                "show|cancel|wait NAME [OPTIONS]",
                """
                wait returns when all are over: 0 if all went well, 1 if not. If --timeout passes \
                first the exit code is 124 and the tasks go on.\
                """,
                List.of(
                    "errand spawn --batch night -- make check",
                    "errand batch wait night --timeout 1h",
                    "errand batch cancel night")));
    spec.addPositional(Specs.argument(0, "show|cancel|wait", "what to do"));
    spec.addPositional(Specs.argument(1, "NAME", "the batch"));
    spec.addOption(Specs.text("ID", "the session that it belongs to (default: yours)", SESSION));
    spec.addOption(Specs.text("TEXT", "for cancel: why", REASON));
    spec.addOption(Specs.flag("for wait: return when the first of them is over", ANY));
    spec.addOption(Specs.duration("for wait: at most this long", TIMEOUT));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    var words = Specs.positionals(parsed);
    var name = words.get(1);
    var session = session(parsed, context);
    try (var client = context.daemon().connect()) {
      var batches = client.batches();
      return switch (words.getFirst()) {
        case "show" -> show(batches.show(name, session), parsed, context);
        case "cancel" ->
            show(batches.cancel(name, session, option(parsed, REASON)), parsed, context);
        case "wait" -> await(batches, name, session, parsed, context);
        default ->
            throw new UsageException(
                "unknown command '"
                    + words.getFirst()
                    + "' of errand batch; use show, cancel or wait");
      };
    }
  }

  private static @Nullable String session(ParseResult parsed, Context context) {
    var given = option(parsed, SESSION);
    return given == null ? context.environment().get("ERRAND_SESSION_ID") : given;
  }

  private static @Nullable String option(ParseResult parsed, String name) {
    return parsed.hasMatchedOption(name) ? parsed.matchedOptionValue(name, "") : null;
  }

  private static int await(
      BatchClient batches,
      String name,
      @Nullable String session,
      ParseResult parsed,
      Context context) {
    var timeout = parsed.matchedOptionValue(TIMEOUT, FOR_EVER);
    var batch = batches.await(name, session, Specs.has(parsed, ANY), timeout);
    show(batch, parsed, context);
    if (batch.bool("timed_out", false)) {
      context.console().say("errand: the batch is not over yet");
      return ExitCode.TIMED_OUT.number();
    }
    return wentWrong(batch) ? 1 : ExitCode.OK.number();
  }

  private static boolean wentWrong(JsonFields batch) {
    return switch (batch.text("status")) {
      case "error", "cancelled" -> true;
      default -> false;
    };
  }

  private static int show(JsonFields batch, ParseResult parsed, Context context) {
    var console = context.console();
    if (Specs.has(parsed, Specs.JSON)) {
      console.print(Json.text(batch.node()));
      return ExitCode.OK.number();
    }
    var tasks = new ArrayList<TaskStatus>();
    for (var task : batch.node().path("tasks")) {
      tasks.add(new TaskStatus(new JsonFields(task)));
    }
    console.print(
        SafeText.line(
            "%s: %s, %d tasks"
                .formatted(batch.text("batch_id"), batch.text("status"), batch.number("total"))));
    TaskTable.of(tasks, context.clock().instant())
        .lines(0, console.terminal().colour())
        .forEach(console::print);
    return ExitCode.OK.number();
  }
}
