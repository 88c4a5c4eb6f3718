package dev.errand.cli.command;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The words that may follow a command, from its spec; used for shell completion. */
record Vocabulary(String verb, String summary, List<Option> options, Words arguments) {
  private static final Pattern CHOICE = Pattern.compile("[a-z-]+(\\|[a-z-]+)+");

  Vocabulary {
    options = List.copyOf(options);
  }

  /** What may be completed at a position. */
  sealed interface Words {
    record Nothing() implements Words {}

    record Tasks() implements Words {}

    record Files() implements Words {}

    record Programs() implements Words {}

    record Commands() implements Words {}

    record OneOf(List<String> words) implements Words {}
  }

  /** An option with all its names; without a value nothing is completed after it. */
  record Option(List<String> names, String description, boolean valued, Words value) {}

  static List<Vocabulary> all() {
    return CliCommands.names().stream().map(it -> of(it, CliCommands.get(it).spec())).toList();
  }

  private static Vocabulary of(String verb, CommandSpec spec) {
    var options = new ArrayList<Option>();
    for (var option : spec.options()) {
      options.add(option(option));
    }
    var arguments =
        spec.positionalParameters().isEmpty()
            ? new Words.Nothing()
            : argument(spec.positionalParameters().getFirst());
    return new Vocabulary(verb, spec.usageMessage().header()[0], options, arguments);
  }

  private static Option option(OptionSpec option) {
    var valued = option.arity().max() > 0;
    // An ID after an option is a session id.
    var value = option.paramLabel().equals("ID") ? new Words.Nothing() : argument(option);
    return new Option(
        List.of(option.names()),
        String.join(" ", option.description()).replace("%%", "%"),
        valued,
        valued ? value : new Words.Nothing());
  }

  private static Words argument(ArgSpec argument) {
    var label = argument.paramLabel();
    if (CHOICE.matcher(label).matches()) {
      return new Words.OneOf(List.of(label.split("\\|", -1)));
    }
    return switch (label.split("[ |.]", 2)[0]) {
      case "ID" -> new Words.Tasks();
      case "FILE", "DIR" -> new Words.Files();
      case "PROGRAM" -> new Words.Programs();
      case "COMMAND" -> new Words.Commands();
      default -> new Words.Nothing();
    };
  }
}
