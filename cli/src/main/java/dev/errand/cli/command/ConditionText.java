package dev.errand.cli.command;

import dev.errand.wire.json.ConditionKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine.TypeConversionException;

/** Conditions in the form of options: the word of a kind, a colon, and its value. */
final class ConditionText {
  private ConditionText() {}

  /** All forms, such as {@code text:REGEX, port:N or prompt}. */
  static String forms(
      List<String> words, List<ConditionKind> kinds, Function<ConditionKind, String> word) {
    var forms = new ArrayList<>(words);
    for (var kind : kinds) {
      var label = kind.value().label();
      forms.add(word.apply(kind) + (label.isEmpty() ? "" : ":" + label));
    }
    var last = forms.removeLast();
    return String.join(", ", forms) + " or " + last;
  }

  /** A number, or a time in milliseconds. */
  static long number(ConditionKind kind, String value, Supplier<UsageException> wrong) {
    if (kind.value() == ConditionKind.Value.MILLIS) {
      return duration(value, wrong).toMillis();
    }
    var number = value.matches("\\d{1,9}") ? Long.parseLong(value) : 0;
    if (number < kind.value().min() || number > kind.value().max()) {
      throw wrong.get();
    }
    return number;
  }

  private static Duration duration(String value, Supplier<UsageException> wrong) {
    try {
      return Values.duration(value);
    } catch (TypeConversionException _) {
      throw wrong.get();
    }
  }
}
