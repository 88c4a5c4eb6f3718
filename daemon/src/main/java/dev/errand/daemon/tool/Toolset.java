package dev.errand.daemon.tool;

import java.util.List;

/** The names of groups of tools. */
public final class Toolset {
  /** What an agent needs: few tools, of several groups, with short descriptions. */
  public static final String AGENT = "agent";

  /** Every tool. */
  public static final String ALL = "all";

  /** The tools of {@link #AGENT}. */
  static final List<String> OF_AGENT =
      List.of(
          "task_spawn",
          "task_wait",
          "task_output",
          "task_search_output",
          "task_send",
          "task_list",
          "task_kill",
          "task_digest");

  public static final String SHELL = "shell";
  public static final String TASKS = "tasks";
  public static final String BACKGROUND = "background";
  public static final String TERMINAL = "terminal";

  /** What the configuration declares. */
  public static final String DECLARED = "declared";

  /** Those by which tools are grouped. */
  static final List<String> GROUPS = List.of(SHELL, TASKS, BACKGROUND, TERMINAL, DECLARED);

  private Toolset() {}
}
