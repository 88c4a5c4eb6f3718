package dev.errand.cli.command;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** Builds the specs of commands, so that each command reads as a list of its options. */
final class Specs {
  static final String JSON = "--json";
  static final String HELP = "--help";

  private static final int HELP_COLUMNS = 100;

  /**
   * Creates the lists of repeatable options. The library's own factory would search all jars for a
   * Groovy class at each start.
   */
  private static final IFactory LISTS = Specs::list;

  private Specs() {}

  private static <K> K list(Class<K> type) {
    return type.cast(new ArrayList<>());
  }

  /** A command's summary, synopsis, description and examples. */
  record About(String summary, String synopsis, String description, List<String> examples) {}

  static CommandSpec verb(String name, About about) {
    var spec = CommandSpec.wrapWithoutInspection(null, LISTS).name("errand " + name);
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

  /** A text in a certain form, which the check defines. */
  static OptionSpec checked(
      ITypeConverter<String> check, String label, String description, String... names) {
    return valued(String.class, label, description, names).converters(check).build();
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
    return checked(it -> Values.oneOf(words, it), String.join("|", words), description, names);
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

  /** The argument at this place, which must be given. */
  static PositionalParamSpec argument(int index, String label, String description) {
    return positional(Integer.toString(index), "1", label, description).build();
  }

  /** The argument at this place, which may be left out. */
  static PositionalParamSpec optional(int index, String label, String description) {
    return positional(Integer.toString(index), "0..1", label, description).build();
  }

  /** All arguments from this place on: as many as there are, or at least one. */
  static PositionalParamSpec rest(int index, boolean atLeastOne, String label, String description) {
    return positional(index + "..*", atLeastOne ? "1..*" : "0..*", label, description).build();
  }

  private static PositionalParamSpec.Builder positional(
      String index, String arity, String label, String description) {
    return PositionalParamSpec.builder()
        .index(index)
        .type(List.class)
        .auxiliaryTypes(String.class)
        .arity(arity)
        .required(!arity.startsWith("0"))
        .paramLabel(label)
        .hideParamSyntax(true)
        .description(literal(description));
  }

  /** The help writer formats its texts, so a percent sign stands for itself only when doubled. */
  private static String literal(String text) {
    return text.replace("%", "%%");
  }

  static ParseResult parse(CommandSpec spec, List<String> arguments) {
    return new CommandLine(spec, LISTS).parseArgs(arguments.toArray(String[]::new));
  }

  static boolean has(ParseResult parsed, String option) {
    return parsed.matchedOptionValue(option, false);
  }

  /** All arguments that are not options, in their order. */
  static List<String> positionals(ParseResult parsed) {
    return parsed.matchedPositionals().stream()
        .distinct()
        .flatMap(it -> it.stringValues().stream())
        .toList();
  }

  static String positional(ParseResult parsed) {
    return positionals(parsed).getFirst();
  }
}
