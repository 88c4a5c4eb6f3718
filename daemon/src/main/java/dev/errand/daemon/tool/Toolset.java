package dev.errand.daemon.tool;

/** The names of groups of tools. */
public final class Toolset {
  public static final String SHELL = "shell";
  public static final String TASKS = "tasks";
  public static final String BACKGROUND = "background";
  public static final String TERMINAL = "terminal";

  /** What the configuration declares. */
  public static final String DECLARED = "declared";

  private Toolset() {}
}
