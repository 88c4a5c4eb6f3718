package dev.errand.cli.command;

import dev.errand.cli.render.Progress;
import dev.errand.cli.terminal.Console;
import dev.errand.cli.terminal.SafeOutput;
import dev.errand.wire.client.ArtifactClient;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code errand artifact}: stores a file under its digest, and gets one back. */
final class ArtifactCommand implements CliCommand {
  private static final String OUTPUT = "--output";
  private static final String RANGE = "--range";
  private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern RANGE_FORM = Pattern.compile("(\\d{1,18})-(\\d{0,18})");
  private static final int READ_BYTES = 1024 * 1024;

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "artifact",
            new Specs.About(
                "Store a file under its digest, or get one back",
                "put FILE|-  |  errand artifact get SHA256 [-o FILE] [--range A-B]",
                """
                put prints the SHA-256 under which the content can be had from then on. Logs of \
                tasks that are over are artifacts too: errand status shows their digests.\
                """,
                List.of(
                    "errand artifact put report.pdf",
                    "errand artifact get 9f86d081... -o report.pdf",
                    "errand artifact get 9f86d081... --range 0-1023")));
    spec.addPositional(Specs.argument(0, "put|get", "what to do"));
    spec.addPositional(
        Specs.argument(1, "FILE|SHA256", "what to store (- is standard input), or what to get"));
    spec.addOption(Specs.text("FILE", "write to this file", "-o", OUTPUT));
    spec.addOption(
        Specs.text("A-B", "only these bytes, both included; A- is up to the end", RANGE));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) {
    var words = Specs.positionals(parsed);
    switch (words.getFirst()) {
      case "put" -> put(words.get(1), parsed, context);
      case "get" -> get(words.get(1).toLowerCase(Locale.ROOT), parsed, context);
      default ->
          throw new UsageException(
              "unknown command '" + words.getFirst() + "' of errand artifact; use put or get");
    }
    return ExitCode.OK.number();
  }

  private static void put(String name, ParseResult parsed, Context context) {
    try {
      if (name.equals("-")) {
        putPiped(parsed, context);
      } else {
        put(Path.of(name), parsed, context);
      }
    } catch (IOException e) {
      throw new CliException(ExitCode.REFUSED, "cannot read " + name + ": " + e.getMessage(), e);
    }
  }

  /**
   * The length must be known before the first byte is sent, so a pipe is copied to a file first.
   */
  private static void putPiped(ParseResult parsed, Context context) throws IOException {
    var file = Files.createTempFile("errand-", ".artifact");
    try {
      Files.copy(context.console().in(), file, StandardCopyOption.REPLACE_EXISTING);
      put(file, parsed, context);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static void put(Path file, ParseResult parsed, Context context) throws IOException {
    var console = context.console();
    try (var client = context.daemon().connect()) {
      var bytes = Files.size(file);
      var id = put(client.artifacts(), file, bytes, console);
      console.print(
          Specs.has(parsed, Specs.JSON)
              ? JsonLines.object(out -> out.text("artifact_id", id).number("bytes", bytes))
              : id);
    }
  }

  private static String put(ArtifactClient artifacts, Path file, long bytes, Console console) {
    try (var progress = new Progress(console, "storing")) {
      return artifacts.put(file, done -> progress.bytes(done, bytes));
    }
  }

  private static void get(String id, ParseResult parsed, Context context) {
    if (!DIGEST.matcher(id).matches()) {
      throw new UsageException("an artifact is named by its SHA-256: 64 characters of 0-9 and a-f");
    }
    var range = Range.of(parsed.matchedOptionValue(RANGE, "0-"));
    var target = parsed.matchedOptionValue(OUTPUT, "-");
    try (var client = context.daemon().connect()) {
      if (target.equals("-")) {
        try (var out = new SafeOutput(context.console())) {
          copy(client.artifacts(), id, range, out, context.console());
        }
      } else {
        toFile(client.artifacts(), id, range, Path.of(target), context.console());
      }
    } catch (IOException e) {
      throw new CliException(ExitCode.REFUSED, "cannot write " + target + ": " + e.getMessage(), e);
    }
  }

  /** Written under a temporary name first, so that a visible file is complete. */
  private static void toFile(
      ArtifactClient artifacts, String id, Range range, Path file, Console console)
      throws IOException {
    var folder = file.toAbsolutePath().normalize().getParent();
    var part = Files.createTempFile(folder, ".errand-", ".part");
    try {
      try (var out = Files.newOutputStream(part)) {
        copy(artifacts, id, range, out, console);
      }
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static void copy(
      ArtifactClient artifacts, String id, Range range, OutputStream out, Console console)
      throws IOException {
    var end = Math.min(range.end(), artifacts.size(id));
    try (var progress = new Progress(console, "getting")) {
      for (var at = range.from(); at < end; ) {
        var bytes = artifacts.read(id, at, (int) Math.min(READ_BYTES, end - at));
        if (bytes.length == 0) {
          throw new IOException("the content ended at byte " + at);
        }
        out.write(bytes);
        at += bytes.length;
        progress.bytes(at - range.from(), end - range.from());
      }
    }
  }

  /** From the first byte to the end, exclusive. */
  private record Range(long from, long end) {
    static Range of(String text) {
      var form = RANGE_FORM.matcher(text);
      if (!form.matches()) {
        throw new UsageException("'" + text + "' is not a byte range; use 0-1023 or 1024-");
      }
      var last = form.group(2).isEmpty() ? Long.MAX_VALUE - 1 : Long.parseLong(form.group(2));
      return new Range(Long.parseLong(form.group(1)), last + 1);
    }
  }
}
