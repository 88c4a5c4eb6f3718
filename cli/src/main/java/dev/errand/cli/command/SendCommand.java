package dev.errand.cli.command;

import dev.errand.cli.terminal.Console;
import dev.errand.cli.terminal.Terminal.Kind;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand send}: writes to a task's standard input. */
final class SendCommand implements Verb {
  private static final String EOF = "--eof";
  private static final String NO_NEWLINE = "--no-newline";
  private static final String SECRET = "--secret";
  private static final int SECRET_BYTES_MAX = 4 * 1024;

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "send",
            new Specs.About(
                "Write to a task's standard input",
                "ID [TEXT...] [OPTIONS]",
                """
                Words are joined by spaces and end with a new line. Without TEXT, what is piped in \
                is sent as it is. The task must have been started with a standard input (run with \
                something piped in, or spawn --stdin).\
                """,
                List.of(
                    "errand send repl 'print(1 + 1)'",
                    "errand send repl --eof",
                    "errand send login --secret",
                    "cat answers.txt | errand send wizard")));
    spec.addPositional(TaskNames.one());
    spec.addPositional(Specs.rest(1, false, "TEXT...", "what to send"));
    spec.addOption(Specs.flag("then close its standard input", EOF));
    spec.addOption(Specs.flag("no new line behind the text", NO_NEWLINE));
    spec.addOption(Specs.flag("ask for the text, do not show or record it", SECRET));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    var words = Specs.positionals(parsed);
    var eof = Specs.has(parsed, EOF);
    try (var client = context.daemon().connect()) {
      var taskId = new TaskNames(client, context.clock()).resolve(words.getFirst());
      if (words.size() > 1 || Specs.has(parsed, SECRET)) {
        sendText(client, taskId, parsed, context);
      } else if (hasInput(context)) {
        sendInput(client, taskId, eof, context);
      } else if (eof) {
        client.stdin(taskId, new byte[0], true);
      } else {
        throw new UsageException("say what to send: a text, something piped in, or --eof");
      }
      if (Specs.has(parsed, Specs.JSON)) {
        context.console().print(Lines.object(out -> out.text("task_id", taskId.value())));
      }
      return ExitCode.OK.number();
    }
  }

  private static boolean hasInput(Context context) {
    return context.console().terminal().in() == Kind.DATA;
  }

  private static void sendText(
      ErrandClient client, TaskId taskId, ParseResult parsed, Context context) {
    var words = Specs.positionals(parsed);
    var end = Specs.has(parsed, NO_NEWLINE) ? "" : "\n";
    var eof = Specs.has(parsed, EOF);
    if (!Specs.has(parsed, SECRET)) {
      var text = String.join(" ", words.subList(1, words.size())) + end;
      client.stdin(taskId, text.getBytes(StandardCharsets.UTF_8), eof);
      return;
    }
    if (words.size() > 1) {
      throw new UsageException("--secret asks for the text; do not write it on the command line");
    }
    client.stdinSecret(taskId, secret(context, end), eof);
  }

  private static byte[] secret(Context context, String end) {
    var typed =
        context.console().terminal().inIsTerminal() ? typed() : line(context.console().in());
    var text = CharBuffer.allocate(typed.length + end.length()).put(typed).put(end).flip();
    var bytes = StandardCharsets.UTF_8.encode(text);
    Arrays.fill(typed, '\0');
    Arrays.fill(text.array(), '\0');
    var exact = new byte[bytes.remaining()];
    bytes.get(exact);
    return exact;
  }

  private static char[] typed() {
    return Console.askSecret("text (not shown): ")
        .orElseThrow(() -> new UsageException("nothing was typed"));
  }

  private static char[] line(InputStream in) {
    try {
      var bytes = in.readNBytes(SECRET_BYTES_MAX);
      return new String(bytes, StandardCharsets.UTF_8).lines().findFirst().orElse("").toCharArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void sendInput(ErrandClient client, TaskId taskId, boolean eof, Context context) {
    if (!new StdinForwarder(client, taskId, context.console().in()).forward(eof)) {
      throw new CliException(
          ExitCode.REFUSED, "the task takes no more input; see: errand status " + taskId);
    }
  }
}
