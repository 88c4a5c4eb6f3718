package dev.errand.cli.render;

/** How a piece of text stands out on a terminal. */
public enum Style {
  PLAIN(""),
  BOLD("1"),
  DIM("2"),
  RED("31"),
  GREEN("32"),
  YELLOW("33"),
  BLUE("34");

  private final String code;

  Style(String code) {
    this.code = code;
  }

  public String on(String text, boolean colour) {
    return !colour || code.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
  }
}
