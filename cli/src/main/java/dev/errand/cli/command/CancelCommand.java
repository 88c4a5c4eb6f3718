package dev.errand.cli.command;

import dev.errand.cli.render.ShortIds;
import dev.errand.cli.render.TaskText;
import dev.errand.wire.client.TaskStatus;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand cancel}: ends tasks with all their processes. */
final class CancelCommand implements CliCommand {
  private static final String REASON = "--reason";
  private static final String WAIT = "--wait";

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "cancel",
            new Specs.About(
                "End tasks and all their processes",
                "ID... [OPTIONS]",
                """
                Sends SIGTERM, and SIGKILL to what is left after the grace time. Returns when that \
                is recorded and the first signal is sent; --wait returns when they are over. A task \
                that is over already is left as it is, but processes that it was allowed to leave \
                (leftover keep) are killed.\
                """,
                List.of(
                    "errand cancel web",
                    "errand cancel a1b2 c3d4 --wait 10s --reason 'too slow'")));
    spec.addPositional(TaskNames.many());
    spec.addOption(Specs.text("TEXT", "the reason, which is recorded", "-m", REASON));
    spec.addOption(Specs.duration("wait at most this long for the end", WAIT));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    var reason = parsed.matchedOptionValue(REASON, "cancelled by errand cancel");
    Duration wait = parsed.matchedOptionValue(WAIT, (Duration) null);
    var allOver = true;
    try (var client = context.daemon().connect()) {
      var names = TaskNames.of(client, context);
      for (var taskId : names.resolveAll(Specs.positionals(parsed))) {
        var status = client.cancel(taskId, reason, wait);
        context.console().print(Specs.has(parsed, Specs.JSON) ? status.text() : text(status));
        allOver &= status.isEnded();
      }
    }
    return wait == null || allOver ? ExitCode.OK.number() : ExitCode.TIMED_OUT.number();
  }

  private static String text(TaskStatus status) {
    var id = ShortIds.of(status.taskId());
    if (!status.isEnded()) {
      return id + " is being cancelled";
    }
    var end = (id + " " + status.status() + " " + TaskText.outcome(status)).strip();
    return "kept".equals(status.leftover()) ? end + "; its remaining processes are ended" : end;
  }
}
