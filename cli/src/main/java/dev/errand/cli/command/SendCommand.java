package dev.errand.cli.command;

import dev.errand.cli.terminal.Console;
import dev.errand.cli.terminal.Terminal.Kind;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.terminal.KeyNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand send}: writes to a task's standard input. */
final class SendCommand implements CliCommand {
  private static final String EOF = "--eof";
  private static final String NO_NEWLINE = "--no-newline";
  private static final String SECRET = "--secret";
  private static final String KEY = "--key";
  private static final String ENTER = "--enter";
  private static final String INPUT = "--stdin";
  private static final int SECRET_BYTES_MAX = 4 * 1024;

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "send",
            new Specs.About(
                "Write to a task's standard input, or type at its terminal",
                "ID [OPTIONS] [--] [TEXT...]",
                """
                Words are joined by spaces and end with a new line. Without TEXT, what is piped in \
                is sent as it is. The task must have been started with a standard input (run with \
                something piped in, or spawn --stdin) or with a terminal (-t). There it takes keys \
                by name too: single characters, Enter, Tab, Escape, Space, Backspace, Delete, \
                Insert, Up, Down, Left, Right, Home, End, PageUp, PageDown, F1 to F12, with C-, M- \
                or S- before them. They are typed behind the text, which then gets no new line.\
                """,
                List.of(
                    "errand send repl 'print(1 + 1)'",
                    "errand send repl --eof",
                    "errand send login --secret",
                    "errand send editor --key Escape --key Z --key Z",
                    "errand send shell --key C-c",
                    "errand send shell --enter 'make test'",
                    "cat answers.txt | errand send wizard")));
    spec.addPositional(TaskNames.one());
    spec.addPositional(Specs.rest(1, false, "TEXT...", "what to send"));
    spec.addOption(Specs.flag("then close its standard input", EOF));
    spec.addOption(Specs.flag("no newline after the text", NO_NEWLINE));
    spec.addOption(Specs.flag("ask for the text, do not show or record it", SECRET));
    spec.addOption(Specs.texts("NAME", "press this key after the text (may be repeated)", KEY));
    spec.addOption(Specs.flag("press Enter at the end, instead of a newline", ENTER));
    spec.addOption(Specs.flag("send what is piped in", INPUT));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    var words = Specs.positionals(parsed);
    var eof = Specs.has(parsed, EOF);
    try (var client = context.daemon().connect()) {
      var taskId = TaskNames.of(client, context).resolve(words.getFirst());
      if (hasText(parsed)) {
        sendText(client, taskId, parsed, context);
      } else if (Specs.has(parsed, INPUT) || hasInput(context)) {
        sendInput(client, taskId, eof, context);
      } else if (eof) {
        client.stdin(taskId, new byte[0], true);
      } else {
        throw new UsageException(
            "nothing to send; give a text, --key, --stdin with a pipe, or --eof");
      }
      if (Specs.has(parsed, Specs.JSON)) {
        context.console().print(JsonLines.object(out -> out.text("task_id", taskId.value())));
      }
      return ExitCode.OK.number();
    }
  }

  private static boolean hasText(ParseResult parsed) {
    var given =
        Specs.positionals(parsed).size() > 1 || Specs.has(parsed, SECRET) || hasKeys(parsed);
    if (given && Specs.has(parsed, INPUT)) {
      throw new UsageException("--stdin sends the piped input; leave out the text and the keys");
    }
    return given;
  }

  private static boolean hasKeys(ParseResult parsed) {
    return parsed.hasMatchedOption(KEY) || Specs.has(parsed, ENTER);
  }

  private static boolean hasInput(Context context) {
    return context.console().terminal().in() == Kind.DATA;
  }

  private static void sendText(
      ErrandClient client, TaskId taskId, ParseResult parsed, Context context) {
    var words = Specs.positionals(parsed);
    var end = Specs.has(parsed, NO_NEWLINE) ? "" : end(parsed);
    var eof = Specs.has(parsed, EOF);
    if (!Specs.has(parsed, SECRET)) {
      var text = String.join(" ", words.subList(1, words.size())) + end;
      client.stdin(taskId, text.getBytes(StandardCharsets.UTF_8), eof);
      return;
    }
    if (words.size() > 1) {
      throw new UsageException("--secret asks for the text; leave it out of the command line");
    }
    client.stdinSecret(taskId, secret(context, end), eof);
  }

  /** The bytes of the keys; a newline if there are none. */
  private static String end(ParseResult parsed) {
    if (!hasKeys(parsed)) {
      return "\n";
    }
    var names = new ArrayList<String>(parsed.matchedOptionValue(KEY, List.<String>of()));
    if (Specs.has(parsed, ENTER)) {
      names.add("Enter");
    }
    var end = new StringBuilder();
    for (var name : names) {
      var bytes =
          KeyNames.bytes(name)
              .orElseThrow(() ->
                  new UsageException("there is no key '" + name + "'; see: errand send --help"));
      end.append(new String(bytes, StandardCharsets.UTF_8));
    }
    return end.toString();
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
        .orElseThrow(() -> new UsageException("no text was typed"));
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
          ExitCode.REFUSED, "the task accepts no more input; see: errand status " + taskId);
    }
  }
}
