package dev.errand.cli.command;

import dev.errand.wire.client.Until;
import dev.errand.wire.json.ConditionKind;
import java.util.List;

/** Reads {@code --until}: a word, or a kind and its value with a colon between them. */
final class UntilOption {
  static final String NAME = "--until";
  static final String LABEL = "CONDITION";
  private static final List<String> WORDS = List.of("exit", "ready");
  private static final String FORMS =
      ConditionText.forms(WORDS, ConditionKind.AWAITED, ConditionKind::untilWord);
  static final String DESCRIPTION = FORMS + "; several: any of them";

  private UntilOption() {}

  static Until parse(List<String> texts) {
    return Until.any(texts.stream().map(UntilOption::parse).toArray(Until[]::new));
  }

  private static Until parse(String text) {
    switch (text) {
      case "exit" -> {
        return Until.exit();
      }
      case "ready" -> {
        return Until.ready();
      }
      default -> {}
    }
    var colon = text.indexOf(':');
    var word = colon < 0 ? text : text.substring(0, colon);
    var value = colon < 0 ? "" : text.substring(colon + 1);
    var kind =
        ConditionKind.AWAITED.stream()
            .filter(it -> it.untilWord().equals(word))
            .findFirst()
            .orElseThrow(() -> wrong(text));
    var isPlain = kind.value().label().isEmpty();
    if ((colon < 0) != isPlain || (value.isEmpty() && !isPlain)) {
      throw wrong(text);
    }
    return switch (kind.value()) {
      case PATTERN, PATH, URL -> Until.of(kind, value);
      case PORT, MILLIS -> Until.of(kind, ConditionText.number(kind, value, () -> wrong(text)));
      case YES -> Until.of(kind);
    };
  }

  private static UsageException wrong(String text) {
    return new UsageException("'" + text + "' is not a condition; use " + FORMS);
  }
}
