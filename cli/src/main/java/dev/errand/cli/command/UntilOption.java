package dev.errand.cli.command;

import dev.errand.wire.client.Until;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code --until}: a word, or a kind and its value with a colon between them. */
final class UntilOption {
  static final String NAME = "--until";
  static final String LABEL = "CONDITION";
  static final String DESCRIPTION =
      "exit, ready, text:REGEX, screen:REGEX, idle:DURATION, port:N or prompt; several: any of"
          + " them";

  /** Those that have no value. */
  private static final List<String> WORDS = List.of("exit", "ready", "prompt");

  private static final int PORT_MAX = 65_535;

  private UntilOption() {}

  static Until parse(List<String> texts) {
    return Until.any(texts.stream().map(UntilOption::parse).toArray(Until[]::new));
  }

  private static Until parse(String text) {
    var colon = text.indexOf(':');
    var kind = colon < 0 ? text : text.substring(0, colon);
    var value = colon < 0 ? "" : text.substring(colon + 1);
    if ((colon >= 0) == WORDS.contains(kind) || (colon >= 0 && value.isEmpty())) {
      throw wrong(text);
    }
    return switch (kind) {
      case "exit" -> Until.exit();
      case "ready" -> Until.ready();
      case "prompt" -> Until.prompt();
      case "text" -> Until.text(value);
      case "screen" -> Until.screen(value);
      case "idle" -> Until.idle(duration(value, text));
      case "port" -> Until.port(port(value, text));
      default -> throw wrong(text);
    };
  }

  private static Duration duration(String value, String text) {
    try {
      return Values.duration(value);
    } catch (TypeConversionException _) {
      throw wrong(text);
    }
  }

  private static int port(String value, String text) {
    var number = value.matches("\\d{1,5}") ? Integer.parseInt(value) : 0;
    if (number < 1 || number > PORT_MAX) {
      throw wrong(text);
    }
    return number;
  }

  private static UsageException wrong(String text) {
    return new UsageException(
        "'"
            + text
            + "' is nothing to wait for; write exit, ready, text:REGEX, screen:REGEX,"
            + " idle:DURATION, port:N or prompt");
  }
}
