package dev.errand.cli.command;

import static java.util.stream.Collectors.joining;

import dev.errand.cli.render.Style;
import dev.errand.cli.terminal.Console;
import dev.errand.cli.terminal.SafeText;
import dev.errand.wire.json.Json;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand doctor}: checks the installation and says what to do. */
final class DoctorCommand implements CliCommand {
  private static final int SUBJECT_COLUMNS = 12;
  private static final String END = "--end";

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "doctor",
            new Specs.About(
                "Check the installation and say what to do",
                "[OPTIONS]",
                """
                Looks at the JDK, the home folder, disk space, artifacts (as many as can be read in \
                five seconds), limits, the daemon, its hosts, and processes that live on beside \
                their tasks. Each line is ok, warn or fail; with a \
                fail the exit code is 1. Changes nothing, but with --end it ends one of those \
                processes and checks nothing.\
                """,
                List.of("errand doctor", "errand doctor --json", "errand doctor --end 4711")));
    spec.addOption(
        Specs.count("PID", "end this process, which escaped from its task or was left by it", END));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    Integer pid = parsed.matchedOptionValue(END, (Integer) null);
    if (pid != null) {
      return end(pid, parsed, context);
    }
    var findings = Checks.all(context);
    for (var finding : findings) {
      context
          .console()
          .print(Specs.has(parsed, Specs.JSON) ? json(finding) : text(finding, context.console()));
    }
    var failed = findings.stream().anyMatch(it -> it.level() == Finding.Level.FAIL);
    return failed ? ExitCode.CHECK_FAILED.number() : ExitCode.OK.number();
  }

  private static int end(long pid, ParseResult parsed, Context context) {
    try (var client = context.daemon().connect()) {
      var answer = client.endProcess(pid);
      var survivors = answer.numbers("survivors");
      if (Specs.has(parsed, Specs.JSON)) {
        context.console().print(Json.text(answer.node()));
      } else {
        var killed = answer.numbers("killed").stream().map(String::valueOf).collect(joining(", "));
        context.console().print("ended: " + (killed.isEmpty() ? "nobody" : killed));
        survivors.forEach(it -> context.console().say("errand: " + it + " cannot be ended"));
      }
      return survivors.isEmpty() ? ExitCode.OK.number() : ExitCode.CHECK_FAILED.number();
    }
  }

  private static String text(Finding finding, Console console) {
    var word = word(finding);
    var style =
        switch (finding.level()) {
          case OK -> Style.GREEN;
          case WARN -> Style.YELLOW;
          case FAIL -> Style.RED;
        };
    var subject = finding.subject() + " ".repeat(SUBJECT_COLUMNS - finding.subject().length());
    var advice = finding.advice().isEmpty() ? "" : "\n" + " ".repeat(6) + "-> " + finding.advice();
    return style.on(word + " ".repeat(6 - word.length()), console.terminal().colour())
        + subject
        + SafeText.block(finding.text() + advice);
  }

  private static String json(Finding finding) {
    return JsonLines.object(out ->
        out.text("level", word(finding))
            .text("check", finding.subject())
            .text("text", finding.text())
            .text("advice", finding.advice().isEmpty() ? null : finding.advice()));
  }

  private static String word(Finding finding) {
    return finding.level().name().toLowerCase(Locale.ROOT);
  }
}
