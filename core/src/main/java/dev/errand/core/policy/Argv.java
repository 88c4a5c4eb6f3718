package dev.errand.core.policy;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The arguments of a program as one line that says exactly where each begins and ends. */
public final class Argv {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  private Argv() {}

  /**
   * The arguments with spaces between; one that is not plain stands in single quotes, as a shell
   * would need it, so that no argument can look like two.
   */
  public static String line(List<String> argv) {
    return argv.stream().map(Argv::quoted).collect(Collectors.joining(" "));
  }

  private static String quoted(String argument) {
    return PLAIN.matcher(argument).matches()
        ? argument
        : "'" + argument.replace("'", "'\\''") + "'";
  }
}
