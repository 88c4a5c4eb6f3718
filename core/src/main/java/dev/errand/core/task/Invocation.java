package dev.errand.core.task;

import java.util.List;

/**
 * What is run: a line for the shell, a program with its arguments and no shell, or a program with a
 * line for its standard input.
 */
public sealed interface Invocation {

  /** One line as a person would type it, for debuggers, rules and lists. */
  String commandLine();

  /** A command line for {@code bash -c}, or {@code sh -c} where there is no bash. */
  record Shell(String commandLine) implements Invocation {}

  /** A program found by PATH or by its path, and its arguments as they are. */
  record Program(List<String> argv) implements Invocation {
    public Program {
      argv = List.copyOf(argv);
    }

    @Override
    public String commandLine() {
      return String.join(" ", argv);
    }
  }

  /** A program that finds this line, and then the end, on its standard input. */
  record Fed(List<String> argv, String input) implements Invocation {
    public Fed {
      argv = List.copyOf(argv);
      if (input.indexOf('\n') >= 0) {
        throw new IllegalArgumentException("what a program is fed is one line");
      }
    }

    @Override
    public String commandLine() {
      return String.join(" ", argv);
    }
  }
}
