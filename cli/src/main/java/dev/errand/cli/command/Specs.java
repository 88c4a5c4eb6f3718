package dev.errand.cli.command;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** Builds the specs of verbs, so that each verb reads as a list of its options. */
final class Specs {
  static final String JSON = "--json";
  static final String HELP = "--help";

  private static final int HELP_COLUMNS = 100;

  private Specs() {}

  /** What a verb does in a line, how it is called, more about it, and calls that one can copy. */
  record About(String summary, String synopsis, String description, List<String> examples) {}

  static CommandSpec verb(String name, About about) {
    var spec = CommandSpec.create().name("errand " + name);
    spec.addOption(flag("print JSON lines instead of text", JSON));
    spec.addOption(
        OptionSpec.builder("-h", HELP).usageHelp(true).description("print this help").build());
    spec.usageMessage()
        .width(HELP_COLUMNS)
        .sortOptions(false)
        .customSynopsis(("errand " + name + " " + about.synopsis()).strip())
        .header(literal(about.summary()))
        .synopsisHeading("%nUsage: ")
        .descriptionHeading("%n")
        .description(literal(about.description().strip()))
        .parameterListHeading("%nArguments:%n")
        .optionListHeading("%nOptions:%n")
        .footerHeading("%nExamples:%n")
        .footer(about.examples().stream().map(it -> "  " + literal(it)).toArray(String[]::new));
    return spec;
  }

  static OptionSpec flag(String description, String... names) {
    return OptionSpec.builder(names).description(literal(description)).build();
  }

  static OptionSpec text(String label, String description, String... names) {
    return valued(String.class, label, description, names).build();
  }

  static OptionSpec texts(String label, String description, String... names) {
    return OptionSpec.builder(names)
        .type(List.class)
        .auxiliaryTypes(String.class)
        .arity("1")
        .paramLabel(label)
        .description(literal(description))
        .build();
  }

  static OptionSpec oneOf(Set<String> words, String description, String... names) {
    return valued(String.class, String.join("|", words), description, names)
        .converters(it -> Values.oneOf(words, it))
        .build();
  }

  static OptionSpec duration(String description, String... names) {
    return valued(Duration.class, "DURATION", description, names)
        .converters(Values::duration)
        .build();
  }

  static OptionSpec size(String description, String... names) {
    return valued(Long.class, "SIZE", description, names).converters(Values::size).build();
  }

  static OptionSpec count(String label, String description, String... names) {
    return valued(Integer.class, label, description, names).converters(Values::count).build();
  }

  private static OptionSpec.Builder valued(
      Class<?> type, String label, String description, String... names) {
    return OptionSpec.builder(names)
        .type(type)
        .arity("1")
        .paramLabel(label)
        .description(literal(description));
  }

  /** The one argument of a verb. */
  static PositionalParamSpec argument(String label, String description) {
    return arguments(label, "1", description);
  }

  /** As many arguments as the arity allows, such as {@code 1..*}. */
  static PositionalParamSpec arguments(String label, String arity, String description) {
    return PositionalParamSpec.builder()
        .index("0..*")
        .type(List.class)
        .auxiliaryTypes(String.class)
        .arity(arity)
        .paramLabel(label)
        .hideParamSyntax(true)
        .description(literal(description))
        .build();
  }

  /** The help writer formats its texts, so a percent sign stands for itself only when doubled. */
  private static String literal(String text) {
    return text.replace("%", "%%");
  }

  static ParseResult parse(CommandSpec spec, List<String> arguments) {
    return new CommandLine(spec).parseArgs(arguments.toArray(String[]::new));
  }

  static boolean has(ParseResult parsed, String option) {
    return parsed.matchedOptionValue(option, false);
  }

  static List<String> positionals(ParseResult parsed) {
    return parsed.matchedPositionalValue(0, List.of());
  }

  static String positional(ParseResult parsed) {
    return positionals(parsed).getFirst();
  }
}
