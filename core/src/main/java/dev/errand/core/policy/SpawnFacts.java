package dev.errand.core.policy;

import java.util.Set;

/**
 * The properties of a new task that rules can match.
 *
 * @param line what is run: the line for the shell, or the arguments as {@link Argv#line} joins them
 * @param shell whether a shell reads the line, so that its operators mean something
 * @param variables the names that its caller sets in the environment
 * @param justified whether its caller said why
 */
public record SpawnFacts(
    String tool,
    String line,
    boolean shell,
    String executionMode,
    Set<String> variables,
    boolean justified) {
  private static final String TERMINAL = "pty";

  public SpawnFacts {
    variables = Set.copyOf(variables);
  }

  /** Programs at a terminal ask questions and hide what was answered. */
  public boolean wantsTerminal() {
    return executionMode.equals(TERMINAL);
  }
}
