package dev.errand.core.task;

/** How many lines a terminal has, and how many columns each of them. */
public record TerminalSize(int rows, int cols) {
  public static final int MIN = 1;

  /** More than any screen has; a screen of this size still fits into memory many times. */
  public static final int MAX = 1_000;

  public static final TerminalSize DEFAULT = new TerminalSize(24, 80);

  public TerminalSize {
    if (rows < MIN || rows > MAX || cols < MIN || cols > MAX) {
      throw new IllegalArgumentException(
          "a terminal has " + MIN + " to " + MAX + " rows and columns, not " + rows + "x" + cols);
    }
  }

  /** As it is written everywhere: rows, then columns. */
  @Override
  public String toString() {
    return rows + "x" + cols;
  }
}
