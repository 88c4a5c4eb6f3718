package dev.errand.cli.command;

import dev.errand.cli.terminal.SafeOutput;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.OutputSink;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand export}: writes the record of a task in a form for other programs. */
final class ExportCommand implements CliCommand {
  private static final String FORMAT = "--format";
  private static final String OUTPUT = "--output";

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "export",
            new Specs.About(
                "Write the record of a task for other programs",
                "ID --format FORMAT [-o FILE]",
                """
                asciicast and asciicast-v3 are recordings that asciinema plays, with every change \
                of size; html is the screen as a page; text is the screen with what has scrolled \
                off it, or the output of a task with pipes without its control sequences; jsonl \
                are the recorded frames. Nothing is run.\
                """,
                List.of(
                    "errand export editor --format asciicast -o editor.cast",
                    "errand export editor --format text",
                    "errand export build --format jsonl | gzip > build.jsonl.gz")));
    spec.addPositional(TaskNames.one());
    spec.addOption(
        Specs.oneOf(
            new LinkedHashSet<>(List.of("asciicast", "asciicast-v3", "text", "html", "jsonl")),
            "what to write",
            FORMAT));
    spec.addOption(
        Specs.text("FILE", "write to this file (default: standard output)", "-o", OUTPUT));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    var format = parsed.matchedOptionValue(FORMAT, "");
    if (format.isEmpty()) {
      throw new UsageException("--format is missing; use asciicast, text, html or jsonl");
    }
    var target = parsed.matchedOptionValue(OUTPUT, "-");
    try (var client = context.daemon().connect()) {
      var taskId = TaskNames.of(client, context).resolve(Specs.positional(parsed));
      if (target.equals("-")) {
        try (var out = new SafeOutput(context.console())) {
          export(client, taskId, format, new Target(out, context.console()::print));
        }
      } else {
        toFile(client, taskId, format, Path.of(target));
      }
      return ExitCode.OK.number();
    } catch (IOException | UncheckedIOException e) {
      throw new CliException(ExitCode.REFUSED, "cannot write " + target + ": " + e.getMessage(), e);
    }
  }

  /** Where it goes: text as bytes, JSON line by line. */
  private record Target(OutputStream out, Consumer<String> lines) {
    /** A file gets what the other bytes get. */
    static Target of(OutputStream out) {
      return new Target(out, line -> ExportCommand.write(out, utf8(line + "\n")));
    }
  }

  /** Written under a temporary name first, so that a visible file is complete. */
  private static void toFile(ErrandClient client, TaskId taskId, String format, Path file)
      throws IOException {
    var folder = file.toAbsolutePath().normalize().getParent();
    var part = Files.createTempFile(folder, ".errand-", ".part");
    try {
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part))) {
        export(client, taskId, format, Target.of(out));
      }
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static void export(ErrandClient client, TaskId taskId, String format, Target target)
      throws IOException {
    var isTerminal = client.status(taskId).hasTerminal();
    switch (format) {
      case "asciicast" -> cast(client, taskId, isTerminal, Asciicast.Version.TWO, target);
      case "asciicast-v3" -> cast(client, taskId, isTerminal, Asciicast.Version.THREE, target);
      case "jsonl" -> frames(client, taskId, target);
      case "html" -> target.out().write(client.screen(taskId, null, "html", true));
      default -> {
        if (isTerminal) {
          target.out().write(client.screen(taskId, null, "text", true));
        } else {
          client.play(taskId, -1, plain(target.out()));
        }
      }
    }
  }

  private static void cast(
      ErrandClient client,
      TaskId taskId,
      boolean isTerminal,
      Asciicast.Version version,
      Target target) {
    if (!isTerminal) {
      throw new CliException(
          ExitCode.REFUSED, "the task has no terminal; use --format text or jsonl");
    }
    var cast = new Asciicast(version, target.lines());
    client.play(taskId, -1, cast);
    cast.finish();
  }

  private static void frames(ErrandClient client, TaskId taskId, Target target) {
    try (var events = client.history(taskId, -1)) {
      for (var frame = events.next(); frame != null; frame = events.next()) {
        target.lines().accept(frame.text());
      }
    }
  }

  /** Output and errors in their order, without control sequences. */
  private static OutputSink plain(OutputStream target) {
    var out = new PlainBytes();
    var err = new PlainBytes();
    return new OutputSink() {
      @Override
      public void output(LogStream stream, long offset, byte[] bytes) {
        write(target, (stream == LogStream.STDERR ? err : out).next(bytes));
      }

      @Override
      public void gap(LogStream stream, long from, long to) {
        write(target, utf8("[%d bytes are not kept]\n".formatted(to - from)));
      }
    };
  }

  private static void write(OutputStream target, byte[] bytes) {
    try {
      target.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
