package dev.errand.cli.command;

import static java.util.regex.Matcher.quoteReplacement;

import dev.errand.cli.launch.NotRunningException;
import dev.errand.cli.launch.SettingsReader;
import dev.errand.cli.render.Table;
import dev.errand.cli.render.Table.Cell;
import dev.errand.cli.terminal.SafeText;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.JsonFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;

/** {@code errand config}: shows the settings and where each value comes from. */
final class ConfigCommand implements CliCommand {
  private static final String CHECK = "--check";

  /** One more than the limit of a settings file, so that a longer one is refused and not cut. */
  private static final int CHECKED_BYTES_MAX = (1 << 20) + 1;

  @Override
  public CommandSpec spec() {
    var spec =
        Specs.verb(
            "config",
            new Specs.About(
                "Show the settings and where each value comes from",
                "[KEY] [OPTIONS]",
                """
                Shows the settings of the running daemon or, where none runs, what config.toml in \
                ERRAND_HOME would make of one. A whole KEY prints its value alone; the beginning of \
                one, such as output, its table. FROM is default, the command line, or the line of \
                the file; a value that the running daemon has not taken over yet is named beside it. \
                --check only reads a file: a mistake is told with its line, and the exit code is 2.\
                """,
                List.of(
                    "errand config",
                    "errand config output.retention",
                    "errand config --check new.toml")));
    spec.addPositional(Specs.optional(0, "KEY", "a setting, or a table of settings"));
    spec.addOption(Specs.text("FILE", "check this file", CHECK));
    return spec;
  }

  @Override
  public int run(ParseResult parsed, Context context) throws InterruptedException {
    if (parsed.hasMatchedOption(CHECK)) {
      return check(Path.of(parsed.matchedOptionValue(CHECK, "")), parsed, context);
    }
    var config = inForce(context);
    var words = Specs.positionals(parsed);
    var key = words.isEmpty() ? "" : words.getFirst();
    var wanted =
        config.node().path("settings").valueStream().filter(it -> isIn(key, keyOf(it))).toList();
    if (wanted.isEmpty()) {
      throw new UsageException("there is no setting " + key + "; see: errand config");
    }
    if (Specs.has(parsed, Specs.JSON)) {
      wanted.forEach(it -> context.console().print(Json.text(it)));
    } else if (wanted.size() == 1 && keyOf(wanted.getFirst()).equals(key)) {
      context.console().print(text(wanted.getFirst().path("value")));
    } else {
      table(config.text("file"), wanted)
          .lines(0, context.console().terminal().colour())
          .forEach(context.console()::print);
    }
    return ExitCode.OK.number();
  }

  private static int check(Path file, ParseResult parsed, Context context)
      throws InterruptedException {
    var absolute = file.toAbsolutePath();
    var reading = SettingsReader.read(context.installation(), content(file));
    if (reading.settings() == null) {
      var named = reading.complaint().replaceFirst("^standard input", quoteReplacement("" + file));
      throw new CliException(ExitCode.USAGE, named);
    }
    if (Specs.has(parsed, Specs.JSON)) {
      context.console().print(JsonLines.object(out -> out.text("file", absolute.toString())));
    } else {
      context.console().print(SafeText.line(file + " is right"));
    }
    return ExitCode.OK.number();
  }

  /** Read here, since the daemon's program cannot read a pipe of this process. */
  private static byte[] content(Path file) {
    if (Files.isDirectory(file)) {
      throw new UsageException(file + " is a folder; give a settings file");
    }
    try (var in = Files.newInputStream(file)) {
      return in.readNBytes(CHECKED_BYTES_MAX);
    } catch (IOException e) {
      throw new CliException(ExitCode.USAGE, "there is no file " + file + " that can be read", e);
    }
  }

  private static JsonFields inForce(Context context) throws InterruptedException {
    try (var client = context.daemon().connect()) {
      return client.config();
    } catch (NotRunningException e) {
      var reading = SettingsReader.read(context.installation(), context.home().config());
      var settings = reading.settings();
      if (settings == null) {
        throw new CliException(ExitCode.USAGE, reading.complaint(), e);
      }
      return settings;
    }
  }

  private static boolean isIn(String wanted, String key) {
    return wanted.isEmpty() || key.equals(wanted) || key.startsWith(wanted + ".");
  }

  private static String keyOf(JsonNode setting) {
    return setting.path("key").stringValue("");
  }

  private static Table table(String file, List<JsonNode> settings) {
    var table = new Table("KEY", "VALUE", "FROM");
    for (var setting : settings) {
      table.row(List.of(cell(keyOf(setting)), cell(value(setting)), cell(origin(setting, file))));
    }
    return table;
  }

  private static String value(JsonNode setting) {
    var pending = setting.get("after_restart");
    return text(setting.path("value"))
        + (pending == null ? "" : " (after a restart: " + text(pending) + ")");
  }

  private static String text(JsonNode value) {
    return value.isNull() ? "none" : SafeText.line(Json.text(value));
  }

  private static String origin(JsonNode setting, String file) {
    return switch (setting.path("origin").stringValue("")) {
      case "file" -> Path.of(file).getFileName() + " line " + setting.path("line").intValue(0);
      case "command_line" -> "command line";
      default -> "default";
    };
  }

  private static Cell cell(String text) {
    return Cell.of(SafeText.line(text));
  }
}
